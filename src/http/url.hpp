#pragma once

#include <cstdint>
#include <fairlead/base/result.hpp>
#include <string>
#include <string_view>

namespace fairlead::http {

/// Where a request goes, taken apart. Scheme and host are in lower case.
struct Url {
  std::string scheme = {};
  std::string host = {};  ///< Without the brackets of an IPv6 address.
  std::uint16_t port = 0;
  std::string target = {};       ///< Path and query, never empty, as they go on the wire.
  std::string credentials = {};  ///< Decoded `user:password`, or empty. Never to be shown or logged.

  bool secure() const { return scheme == "https" || scheme == "wss"; }
  /// As the Host field has it: the port only where it is not the scheme's own.
  std::string authority() const;
  std::string origin() const { return scheme + "://" + authority(); }
  /// To be shown: without credentials and query.
  std::string shown() const;

  bool same_origin(const Url& other) const {
    return scheme == other.scheme && host == other.host && port == other.port;
  }
};

/// An absolute URL of one of HTTP's schemes or WebSocket's; its fragment is dropped.
Result<Url> parse_url(std::string_view text);

/// What a Location field, or a relative reference in general, means at `base`.
Result<Url> resolve_url(const Url& base, std::string_view reference);

/// The value of an Authorization field for `user:password`.
std::string basic_authorization(std::string_view credentials);

}  // namespace fairlead::http
