#pragma once

#include <cstddef>
#include <fairlead/base/deadline.hpp>
#include <fairlead/json/payload.hpp>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace fairlead::client {

/// Results that their server says may be used again for a while. Of one connection, so that what is meant for one
/// caller stays with him.
class ResultCache {
 public:
  static constexpr std::size_t max_entries = 256;

  explicit ResultCache(const Clock& clock) : clock_(clock) {}

  /// Nothing if it was never asked for, or too long ago.
  std::optional<json::Payload> find(const std::string& method, const json::Payload& params) const;

  /// Keeps a result for as long as it says itself.
  void keep(const std::string& method, const json::Payload& params, const json::Payload& result);

  /// What a notice of the server's makes worthless.
  void take_notice(std::string_view method, const json::Payload& params);
  void clear() { kept_.clear(); }

 private:
  struct Kept {
    json::Payload result;
    Deadline until;
  };

  void forget(std::string_view method);
  void make_room();

  const Clock& clock_;
  std::map<std::string, std::map<std::string, Kept, std::less<>>, std::less<>> kept_;  // By method and params.
};

}  // namespace fairlead::client
