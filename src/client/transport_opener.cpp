#include "client/transport_opener.hpp"

#include <fairlead/transport/memory.hpp>
#include <fairlead/transport/socket.hpp>

#include "base/parse_number.hpp"

namespace fairlead::client {
namespace {

using Opened = Result<std::unique_ptr<transport::Transport>>;

Task<Result<OpenedTransport>> as_opened(Task<Opened> opening) {
  auto opened = co_await std::move(opening);
  if (!opened) co_return std::unexpected(std::move(opened.error()));
  co_return OpenedTransport{.near_end = std::move(*opened)};
}

std::unexpected<Error> invalid_address(const std::string& text) {
  return fail(ErrorKind::invalid, "'" + text + "' is not an address: use a URL, unix:<path> or tcp:<host>:<port>, " +
                                      "or pass a command as a list");
}

// Splits `host:port`. An IPv6 address is in brackets.
Result<std::pair<std::string, std::uint16_t>> split_host_port(std::string_view location, const std::string& whole) {
  const auto colon = location.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return invalid_address(whole);
  auto host = location.substr(0, colon);
  const auto digits = location.substr(colon + 1);
  const auto port = parse_number<std::uint16_t>(digits).value_or(0);
  if (port == 0) return invalid_address(whole);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return std::pair{std::string(host), port};
}

Task<Result<OpenedTransport>> open(EventLoop loop, const TransportOptions&, transport::ChildOptions command) {
  auto child = transport::ChildTransport::start(loop, std::move(command));
  if (!child) co_return std::unexpected(std::move(child.error()));
  auto* started = child->get();
  co_return OpenedTransport{.near_end = std::move(*child), .child = started};
}

bool has_scheme(std::string_view text, std::string_view scheme) {
  return text.starts_with(std::string(scheme) + "://") || text.starts_with(std::string(scheme) + "s://");
}

Task<Result<OpenedTransport>> open_url(EventLoop loop, const TransportOptions& options, std::string url) {
  auto http = options.http;
  http.url = std::move(url);
  if (has_scheme(http.url, "http") && options.http_sse) {
    co_return co_await as_opened(transport::connect_http_sse(loop, options.scope, std::move(http)));
  }
  if (has_scheme(http.url, "http")) {
    auto streamable = std::make_unique<transport::StreamableClient>(loop, options.scope, std::move(http));
    auto* opened = streamable.get();
    co_return OpenedTransport{.near_end = std::move(streamable), .streamable = opened};
  }
  if (has_scheme(http.url, "ws") || has_scheme(http.url, "rpc+ws")) {
    co_return co_await as_opened(transport::connect_websocket(loop, options.scope, std::move(http)));
  }
  co_return OpenedTransport{.near_end = transport::make_tool_client(loop, options.scope, std::move(http))};
}

bool is_url(std::string_view text) {
  return has_scheme(text, "http") || has_scheme(text, "ws") || has_scheme(text, "rpc+http") ||
         has_scheme(text, "sse+http") || has_scheme(text, "rpc+ws");
}

Task<Result<OpenedTransport>> open(EventLoop loop, const TransportOptions& options, Endpoint::Address address) {
  const std::string_view text = address.text;
  if (is_url(text)) co_return co_await open_url(loop, options, address.text);
  transport::FramedOptions framing;
  framing.max_message = options.http.max_message;
  if (text.starts_with("unix:")) {
    co_return co_await as_opened(transport::connect_unix(loop, std::string(text.substr(5)), std::move(framing)));
  }
  if (!text.starts_with("tcp:")) co_return invalid_address(address.text);
  auto target = split_host_port(text.substr(text.starts_with("tcp://") ? 6 : 4), address.text);
  if (!target) co_return std::unexpected(std::move(target.error()));
  co_return co_await as_opened(transport::connect_tcp(loop, target->first, target->second, std::move(framing)));
}

Task<Result<OpenedTransport>> open(EventLoop loop, const TransportOptions&, session::Service* service) {
  auto [ours, theirs] = transport::memory_pair(loop);
  co_return OpenedTransport{.near_end = std::move(ours), .far_end = std::move(theirs), .local = service};
}

Task<Result<OpenedTransport>> open(EventLoop loop, const TransportOptions&, Endpoint::Opener opener) {
  co_return co_await as_opened(opener(loop));
}

}  // namespace

Endpoint::Endpoint(std::initializer_list<std::string> command) : Endpoint(std::vector<std::string>(command)) {}
Endpoint::Endpoint(std::vector<std::string> command)
    : location_(transport::ChildOptions{.command = std::move(command)}) {}
Endpoint::Endpoint(transport::ChildOptions command) : location_(std::move(command)) {}
Endpoint::Endpoint(std::string address) : location_(Address{std::move(address)}) {}
Endpoint::Endpoint(const char* address) : Endpoint(std::string(address)) {}
Endpoint::Endpoint(session::Service& server) : location_(&server) {}
Endpoint::Endpoint(Opener open) : location_(std::move(open)) {}

Task<Result<OpenedTransport>> open_transport(EventLoop loop, Endpoint endpoint, TransportOptions options) {
  auto opening = std::visit([&](const auto& location) { return open(loop, options, location); }, endpoint.location());
  co_return co_await std::move(opening);
}

}  // namespace fairlead::client
