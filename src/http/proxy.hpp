#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "http/url.hpp"

namespace fairlead::http {

/// Selects the proxy of a request.
class Proxies {
 public:
  /// Returns the value of an environment variable; empty if unset.
  using Lookup = std::function<std::string(std::string_view name)>;

  Proxies() = default;

  /// Reads the variables as curl does: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, also in capitals,
  /// except `HTTP_PROXY`, which a CGI client can set.
  static Proxies from_environment(const Lookup& lookup);
  static Proxies from_environment();

  /// Returns the proxy for this URL; nothing for a direct connection, which loopback addresses always use.
  Result<std::optional<Url>> choose(const Url& url) const;

 private:
  bool bypasses_proxy(const Url& url) const;

  std::string http_, https_;
  std::vector<std::string> no_proxy_;
};

}  // namespace fairlead::http
