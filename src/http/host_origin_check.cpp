#include <fairlead/http/host_origin_check.hpp>

#include <algorithm>

#include "http/address.hpp"
#include "http/error_response.hpp"

namespace fairlead::http {
namespace {

bool contains(const std::vector<std::string>& list, std::string_view wanted) {
  return std::ranges::any_of(list, [&](const auto& entry) { return protocol::same_header(entry, wanted); });
}

}  // namespace

HostOriginCheck::HostOriginCheck(HostOriginOptions options, const BoundAddress& own)
    : options_(std::move(options)),
      port_suffix_(":" + std::to_string(own.port)),
      any_address_(own.host == "0.0.0.0" || own.host == "::"),
      any_host_(contains(options_.hosts, "*")),
      any_origin_(contains(options_.origins, "*")) {
  for (const auto* name : {"localhost", "127.0.0.1", "[::1]"}) allow(name, own);
  if (!any_address_) allow(in_url(own.host), own);
}

void HostOriginCheck::allow(const std::string& host, const BoundAddress& own) {
  const std::string origin = (own.secure ? "https://" : "http://") + host;
  options_.hosts.push_back(host + port_suffix_);
  options_.origins.push_back(origin + port_suffix_);
  if (own.port != (own.secure ? 443 : 80)) return;
  options_.hosts.push_back(host);
  options_.origins.push_back(origin);
}

bool HostOriginCheck::serves_host(std::string_view host) const {
  if (any_host_ || contains(options_.hosts, host)) return true;
  if (!any_address_) return false;
  if (host.ends_with(port_suffix_)) host.remove_suffix(port_suffix_.size());
  return is_ip_address(without_brackets(std::string(host)));
}

bool HostOriginCheck::serves_origin(std::string_view origin) const {
  if (origin == "null") return false;
  return any_origin_ || contains(options_.origins, origin);
}

std::optional<Response> HostOriginCheck::refuse(const Request& request) const {
  // As received: `header` would trim it.
  const auto value = [&](std::string_view name) { return request.headers[request.find_header(name)].value; };
  if (request.count("Host") != 1 || !serves_host(value("Host"))) {
    return error_response(403, "This Host is not allowed. Use localhost, or allow the host on the server.");
  }
  const auto origins = request.count("Origin");
  if (origins > 1 || (origins == 1 && !serves_origin(value("Origin")))) {
    return error_response(403, "This Origin is not allowed. Allow it on the server.");
  }
  return std::nullopt;
}

}  // namespace fairlead::http
