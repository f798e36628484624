#pragma once

#include <fairlead/base/result.hpp>
#include <string_view>

namespace fairlead::http {

/// A parsed URL. Scheme and host are in lower case.
struct Url {
  std::string scheme = {};
  std::string host = {};  ///< Without the brackets of an IPv6 address.
  std::uint16_t port = 0;
  std::string target = {};       ///< Path and query as sent in a request; never empty.
  std::string credentials = {};  ///< Decoded `user:password`, or empty. Must not be logged.

  bool secure() const { return scheme == "https" || scheme == "wss"; }
  /// Value of the Host header: with a port unless it is the default of the scheme.
  std::string authority() const;
  std::string origin() const { return scheme + "://" + authority(); }
  /// For logs and errors: without credentials and query.
  std::string redacted() const;

  bool same_origin(const Url& other) const {
    return scheme == other.scheme && host == other.host && port == other.port;
  }
};

/// Parses an absolute http, https, ws or wss URL; drops its fragment.
Result<Url> parse_url(std::string_view text);

/// Resolves a Location header or another relative reference against `base`.
Result<Url> resolve_url(const Url& base, std::string_view reference);

/// Value of the Authorization header for `user:password`.
std::string basic_authorization(std::string_view credentials);

}  // namespace fairlead::http
