#pragma once

#include <cstdint>
#include <fairlead/http/handler.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::http {

struct GuardOptions {
  /// `Host` values that are served besides loopback's and the bound address's, exactly as they are sent: with a port
  /// unless it is the scheme's own. "*" serves them all.
  std::vector<std::string> hosts = {};
  /// `Origin` values whose pages may call, besides our own. "*" lets every page call but those without an origin.
  std::vector<std::string> origins = {};
};

/// Where a listener is to be found, as its clients write it.
struct OwnAddress {
  std::string host = "127.0.0.1";  ///< The bound one, in digits and without brackets.
  std::uint16_t port = 0;
  bool secure = false;
};

/// Keeps out pages of other origins, and names that others have pointed at us (DNS rebinding).
class Guard final : public Gate {
 public:
  Guard(GuardOptions options, const OwnAddress& own);

  std::optional<Response> refuse(Request& request) const override;

  bool serves_host(std::string_view host) const;
  bool serves_origin(std::string_view origin) const;

 private:
  void allow(const std::string& host, const OwnAddress& own);

  GuardOptions options_;
  std::string port_suffix_;
  bool any_address_ = false;  // Bound to every interface: whoever calls us by number means us.
  bool any_host_ = false;
  bool any_origin_ = false;
};

}  // namespace fairlead::http
