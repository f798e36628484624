#include <algorithm>
#include <fmt/format.h>

#include "http/characters.hpp"
#include "http/client_state.hpp"

namespace fairlead::http {
namespace {

bool has(const std::vector<Header>& headers, std::string_view name) {
  return std::ranges::any_of(headers, [&](const auto& field) { return protocol::same_header(field.name, name); });
}

Result<void> check(const ClientRequest& request) {
  if (request.method.empty() || !consists_of(request.method, character::token)) {
    return fail(ErrorKind::invalid, "the method of a request must be a word");
  }
  for (const auto& [name, value] : request.headers) {
    if (name.empty() || !consists_of(name, character::token)) {
      return fail(ErrorKind::invalid, fmt::format("'{}' cannot be the name of a header", name));
    }
    if (!value.empty() && !consists_of(value, character::field)) {
      return fail(ErrorKind::invalid,
                  fmt::format("the value of the header {} holds a line end or control character", name));
    }
  }
  return {};
}

bool wants_length(const ClientRequest& request) {
  return !request.body.empty() || (request.method != "GET" && request.method != "HEAD" && request.method != "DELETE");
}

}  // namespace

Result<std::string> Client::State::write_head(const Url& url, const ClientRequest& request) const {
  if (auto fine = check(request); !fine) return std::unexpected(std::move(fine.error()));
  const auto proxy = proxies.choose(url);
  if (!proxy) return std::unexpected(proxy.error());
  const bool to_proxy = *proxy && !url.secure();
  std::string head;
  constexpr std::size_t usual = 1024;
  head.reserve(usual);
  head.append(request.method).append(" ").append(to_proxy ? url.origin() : "").append(url.target);
  head.append(" HTTP/1.1\r\n");
  const auto add = [&](std::string_view name, std::string_view value) {
    head.append(name).append(": ").append(value).append("\r\n");
  };
  if (!has(request.headers, "Host")) add("Host", url.authority());
  if (!has(request.headers, "User-Agent")) add("User-Agent", "fairlead");
  for (const auto& [name, value] : request.headers) add(name, value);
  if (!url.credentials.empty() && !has(request.headers, "Authorization")) {
    add("Authorization", basic_authorization(url.credentials));
  }
  if (to_proxy && !(*proxy)->credentials.empty()) {
    add("Proxy-Authorization", basic_authorization((*proxy)->credentials));
  }
  if (wants_length(request)) add("Content-Length", std::to_string(request.body.size()));
  head += "\r\n";
  return head;
}

}  // namespace fairlead::http
