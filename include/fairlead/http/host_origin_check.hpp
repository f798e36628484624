#pragma once

#include <cstdint>
#include <fairlead/http/handler.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::http {

struct HostOriginOptions {
  /// `Host` values to accept besides loopback and the bound address, exactly as they are sent: with a port unless it is
  /// the default of the scheme. "*" accepts all.
  std::vector<std::string> hosts = {};
  /// `Origin` values to accept besides the server's own. "*" accepts every origin except `null`.
  std::vector<std::string> origins = {};
};

/// The address of a listener as its clients write it.
struct BoundAddress {
  std::string host = "127.0.0.1";  ///< The bound IP address, without brackets.
  std::uint16_t port = 0;
  bool secure = false;
};

/// Rejects requests with a foreign `Origin` or an unknown `Host` (DNS rebinding).
class HostOriginCheck {
 public:
  HostOriginCheck(HostOriginOptions options, const BoundAddress& own);

  /// Returns the error response for a rejected request; nothing to accept it.
  std::optional<Response> refuse(const Request& request) const;

  bool serves_host(std::string_view host) const;
  bool serves_origin(std::string_view origin) const;

 private:
  void allow(const std::string& host, const BoundAddress& own);

  HostOriginOptions options_;
  std::string port_suffix_;
  bool any_address_ = false;  // Bound to every interface: any IP address as `Host` is accepted.
  bool any_host_ = false;
  bool any_origin_ = false;
};

}  // namespace fairlead::http
