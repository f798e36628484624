#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <utility>

#include "http/char_class.hpp"
#include "http/client_state.hpp"
#include "http/traffic_log.hpp"
#include "http/vectored_write.hpp"

namespace fairlead::http {
namespace {

bool has(const std::vector<Header>& headers, std::string_view name) {
  return std::ranges::any_of(headers, [&](const auto& field) { return protocol::same_header(field.name, name); });
}

Result<void> check(std::string_view method, const std::vector<Header>& headers) {
  if (method.empty() || !consists_of(method, char_class::token)) {
    return fail(ErrorKind::invalid, "the method of a request must be a word");
  }
  for (const auto& [name, value] : headers) {
    if (name.empty() || !consists_of(name, char_class::token)) {
      return fail(ErrorKind::invalid, fmt::format("'{}' cannot be the name of a header", name));
    }
    if (!value.empty() && !consists_of(value, char_class::field)) {
      return fail(ErrorKind::invalid,
                  fmt::format("the value of the header {} holds a line end or control character", name));
    }
  }
  return {};
}

void append_length(std::string& head, std::size_t size) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.begin(), digits.end(), size).ptr;
  head.append("Content-Length: ").append(digits.data(), end).append("\r\n");
}

bool wants_length(const ClientRequest& request) {
  return !request.body.empty() || (request.method != "GET" && request.method != "HEAD" && request.method != "DELETE");
}

}  // namespace

Result<std::string> ClientState::write_fields(const Url& url, std::string_view method,
                                              const std::vector<Header>& headers) const {
  if (auto fine = check(method, headers); !fine) return std::unexpected(std::move(fine.error()));
  const auto proxy = proxies.choose(url);
  if (!proxy) return std::unexpected(proxy.error());
  const bool to_proxy = *proxy && !url.secure();
  std::string head;
  constexpr std::size_t usual = 1024;
  head.reserve(usual);
  head.append(method).append(" ").append(to_proxy ? url.origin() : "").append(url.target);
  head.append(" HTTP/1.1\r\n");
  const auto add = [&](std::string_view name, std::string_view value) {
    head.append(name).append(": ").append(value).append("\r\n");
  };
  if (!has(headers, "Host")) add("Host", url.authority());
  if (!has(headers, "User-Agent")) add("User-Agent", "fairlead");
  for (const auto& [name, value] : headers) add(name, value);
  if (!url.credentials.empty() && !has(headers, "Authorization")) {
    add("Authorization", basic_authorization(url.credentials));
  }
  if (to_proxy && !(*proxy)->credentials.empty()) {
    add("Proxy-Authorization", basic_authorization((*proxy)->credentials));
  }
  return head;
}

Result<std::string> ClientState::write_head(const Url& url, const ClientRequest& request) const {
  auto head = write_fields(url, request.method, request.headers);
  if (!head) return head;
  if (wants_length(request)) append_length(*head, request.body.size());
  *head += "\r\n";
  return head;
}

std::string PreparedRequestHead::text(std::size_t body_size, std::size_t room) const {
  constexpr std::size_t length_line = 40;
  std::string head;
  head.reserve(fields.size() + length_line + room);
  head += fields;
  append_length(head, body_size);
  head += "\r\n";
  return head;
}

Result<std::string> ClientState::write_request(const Url& url, const ClientRequest& request,
                                               std::string_view& body) const {
  body = request.body;
  const bool joins = body.size() <= max_joined_body;
  auto head =
      request.prepared ? request.prepared->text(body.size(), joins ? body.size() : 0) : write_head(url, request);
  if (!head) return head;
  wire::sent(loop.log, wire::client, *head, body);
  if (joins) *head += std::exchange(body, {});
  return head;
}

Result<std::shared_ptr<const PreparedRequestHead>> Client::prepare_post(const std::string& url,
                                                                        std::vector<Header> headers) {
  ClientRequest request{.method = "POST", .url = url};
  auto parsed = state_->url_of(request);
  if (!parsed) return std::unexpected(std::move(parsed.error()));
  auto fields = state_->write_fields(*parsed, request.method, headers);
  if (!fields) return std::unexpected(std::move(fields.error()));
  auto origin = parsed->origin();
  PreparedRequestHead head{std::move(*parsed), std::move(origin), std::move(headers), std::move(*fields)};
  return std::make_shared<const PreparedRequestHead>(std::move(head));
}

}  // namespace fairlead::http
