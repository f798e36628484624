#include "http/proxy.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

#include "http/field_list.hpp"

namespace fairlead::http {
namespace {

std::vector<std::string> split(std::string_view list) {
  constexpr std::string_view separators = ", \t";
  std::vector<std::string> items;
  while (!list.empty()) {
    const auto end = std::min(list.find_first_of(separators), list.size());
    if (end > 0) items.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return items;
}

bool is_this_machine(std::string_view host) {
  return host == "localhost" || host.ends_with(".localhost") || host == "::1" || host.starts_with("127.");
}

/// `example.com` and `.example.com` match the domain and its subdomains; a port narrows the match.
bool matches(const std::string& written, const Url& url) {
  const auto rule = lower_case(written);
  std::string_view name = rule;
  const auto port = fmt::format(":{}", url.port);
  const bool is_bare_address = std::ranges::count(name, ':') > 1 && !name.starts_with('[');
  if (!is_bare_address && name.find(':', name.find(']') + 1) != std::string_view::npos) {
    if (!name.ends_with(port)) return false;
    name.remove_suffix(port.size());
  }
  if (name.starts_with('[') && name.ends_with(']')) name = name.substr(1, name.size() - 2);
  if (name.starts_with('.')) name.remove_prefix(1);
  if (name.empty() || !std::string_view(url.host).ends_with(name)) return false;
  return url.host.size() == name.size() || url.host[url.host.size() - name.size() - 1] == '.';
}

}  // namespace

Proxies Proxies::from_environment(const Lookup& lookup) {
  const auto first = [&](std::initializer_list<std::string_view> names) {
    for (const auto name : names) {
      if (auto value = lookup(name); !value.empty()) return value;
    }
    return std::string();
  };
  Proxies proxies;
  proxies.http_ = first({"http_proxy", "all_proxy", "ALL_PROXY"});
  proxies.https_ = first({"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"});
  proxies.no_proxy_ = split(first({"no_proxy", "NO_PROXY"}));
  return proxies;
}

Proxies Proxies::from_environment() {
  return from_environment([](std::string_view name) {
    const char* value = std::getenv(std::string(name).c_str());
    return std::string(value != nullptr ? value : "");
  });
}

bool Proxies::bypasses_proxy(const Url& url) const {
  return is_this_machine(url.host) ||
         std::ranges::any_of(no_proxy_, [&](const auto& rule) { return rule == "*" || matches(rule, url); });
}

Result<std::optional<Url>> Proxies::choose(const Url& url) const {
  const auto& text = url.secure() ? https_ : http_;
  if (text.empty() || bypasses_proxy(url)) return std::nullopt;
  const bool has_scheme = text.find("://") != std::string::npos;
  auto proxy = parse_url(has_scheme ? text : "http://" + text);
  if (!proxy || proxy->scheme != "http") {
    return fail(ErrorKind::invalid, "the proxy in the environment must be written like http://host:port");
  }
  return *proxy;
}

}  // namespace fairlead::http
