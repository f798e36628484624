#pragma once

#include <cstddef>
#include <fairlead/base/deadline.hpp>
#include <fairlead/json/payload.hpp>
#include <fairlead/protocol/revision.hpp>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace fairlead::gateway {

/// Results that may be used again, bounded by number and size: the one longest unused goes first.
class KeptResults {
 public:
  struct Key {
    std::string method;
    std::string subject;           ///< A URI or name; empty for lists.
    std::string whose;             ///< Empty for everybody's.
    std::string credentials = {};  ///< A hash of the headers that the server is asked with; empty without any.
    std::string params;

    auto operator<=>(const Key&) const = default;
  };
  struct Kept {
    json::Payload body;
    Deadline until;
    bool told = false;                               ///< The body itself says how long it is good.
    const protocol::Revision* written_in = nullptr;  ///< As in `session::Reply`.
  };

  KeptResults(std::size_t entries, std::size_t bytes) : most_entries_(entries), most_bytes_(bytes) {}

  /// Null if there is none that is still good.
  const Kept* find(const Key& key, const Clock& clock);
  void keep(const Key& key, Kept kept);

  void forget(std::string_view method);
  void forget(std::string_view method, std::string_view subject);

  std::size_t bytes() const { return bytes_; }

 private:
  struct Entry {
    Kept kept;
    std::list<const Key*>::iterator use;
  };
  using Entries = std::map<Key, Entry>;

  static std::size_t size_of(const Key& key, const Kept& kept);
  Entries::iterator drop(Entries::iterator entry);

  std::size_t most_entries_;
  std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  Entries entries_;
  std::list<const Key*> used_;  // The longest unused first; the keys are those of the entries.
};

}  // namespace fairlead::gateway
