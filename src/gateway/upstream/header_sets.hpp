#pragma once

#include <cstddef>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/payload.hpp>
#include <fairlead/protocol/headers.hpp>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fairlead::gateway {

/// Headers for requests to servers, and the names by which calls ask for them on their way through a chain. The names
/// cannot be guessed: what a client says by itself means nothing.
class HeaderSets {
 public:
  using Headers = std::vector<protocol::Header>;

  HeaderSets();

  /// Its name. The same headers have the same name again, so that a reload changes nothing for them.
  std::string add(Headers headers) { return add(std::move(headers), false); }
  /// As often as it was added.
  void remove(const std::string& name);
  bool contains(std::string_view name) const { return all_.contains(name); }

  /// Whether one of them is there for as long as a call only.
  bool any_is_lent(const std::vector<std::string>& names) const;

  class Lent;

  /// Those of several names together, the later ones stronger.
  Headers find(const std::vector<std::string>& names) const;

  /// Which sets a call asks for; names that are not known are left out.
  std::vector<std::string> asked_by(const json::Payload& params) const;

 private:
  struct Entry {
    Headers headers;
    std::size_t count = 0;
    bool lent = false;
  };

  std::string add(Headers headers, bool lent);

  std::string key_;
  std::map<std::string, Entry, std::less<>> all_;
};

/// What a caller has brought along, for the time of his call.
class HeaderSets::Lent {
 public:
  Lent(std::shared_ptr<HeaderSets> sets, Headers headers)
      : sets_(std::move(sets)), name_(sets_->add(std::move(headers), true)) {}
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  ~Lent() { sets_->remove(name_); }

  const std::string& name() const { return name_; }

 private:
  std::shared_ptr<HeaderSets> sets_;
  std::string name_;
};

/// Puts a header in, in the place of one of the same name.
void put_header(HeaderSets::Headers& headers, const protocol::Header& header);

/// The params with these sets asked for, and no others.
json::Payload asking_for(const json::Payload& params, const std::vector<std::string>& names);

/// The sets that params ask for, as they spell them; empty for none.
std::string_view asked_headers(const json::ObjectEdit& params);

/// Whether the params say anything about headers.
bool mentions_headers(const json::Payload& params);

}  // namespace fairlead::gateway
