#include "gateway/app/reachable_url.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <ifaddrs.h>
#include <memory>
#include <net/if.h>
#include <netinet/in.h>

namespace fairlead::gateway {
namespace {

/// The interface's address if other machines can reach it; otherwise empty.
std::string address_of(const ifaddrs& interface, int family) {
  const bool is_up = (interface.ifa_flags & IFF_UP) != 0 && (interface.ifa_flags & IFF_LOOPBACK) == 0;
  if (!is_up || !interface.ifa_addr || interface.ifa_addr->sa_family != family) return "";
  std::array<char, INET6_ADDRSTRLEN> text = {};
  if (family == AF_INET) {
    const auto* four = reinterpret_cast<const sockaddr_in*>(interface.ifa_addr);
    return ::inet_ntop(family, &four->sin_addr, text.data(), text.size()) ? text.data() : "";
  }
  const auto* six = reinterpret_cast<const sockaddr_in6*>(interface.ifa_addr);
  // A link-local address needs the name of the interface.
  if (IN6_IS_ADDR_LINKLOCAL(&six->sin6_addr)) return "";
  const auto* shown = ::inet_ntop(family, &six->sin6_addr, text.data(), text.size());
  return shown ? "[" + std::string(shown) + "]" : "";
}

std::string address_of_this_machine() {
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return "";
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> owner(all, ::freeifaddrs);
  for (const int family : {AF_INET, AF_INET6}) {
    for (const auto* each = all; each; each = each->ifa_next) {
      if (auto address = address_of(*each, family); !address.empty()) return address;
    }
  }
  return "";
}

std::string host_for_clients(const ListenConfig& listen) {
  const auto named = std::ranges::find_if(listen.allow_hosts, [](const auto& host) { return host != "*"; });
  return named != listen.allow_hosts.end() ? *named : address_of_this_machine();
}

}  // namespace

bool has_port(const std::string& host) {
  const auto colon = host.rfind(':');
  return colon != std::string::npos && host.find(']', colon) == std::string::npos;
}

std::string reachable_url(const std::string& url, const ListenConfig& listen) {
  if (!listen.public_url.empty()) return listen.public_url;
  if (listen.host != "0.0.0.0" && listen.host != "::") return url;
  auto host = host_for_clients(listen);
  if (host.empty()) host = "127.0.0.1";
  const auto port = has_port(host) ? "" : url.substr(url.rfind(':'));
  return url.substr(0, url.find("://") + 3) + host + port;
}

}  // namespace fairlead::gateway
