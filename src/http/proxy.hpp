#pragma once

#include <fairlead/base/result.hpp>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/url.hpp"

namespace fairlead::http {

/// Which requests go through which proxy.
class Proxies {
 public:
  /// The value of an environment variable, empty for none.
  using Lookup = std::function<std::string(std::string_view name)>;

  Proxies() = default;

  /// As curl reads it: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, also in capitals, but for `HTTP_PROXY`:
  /// a CGI program finds there what a client has sent.
  static Proxies from_environment(const Lookup& lookup);
  static Proxies from_environment();

  /// The proxy for this URL; nothing if it is reached directly, as this machine itself always is.
  Result<std::optional<Url>> choose(const Url& url) const;

 private:
  bool is_excepted(const Url& url) const;

  std::string http_, https_;
  std::vector<std::string> excepted_;
};

}  // namespace fairlead::http
