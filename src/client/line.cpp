#include "client/line.hpp"

#include <charconv>
#include <fairlead/transport/memory.hpp>
#include <fairlead/transport/socket.hpp>
#include <string_view>
#include <utility>

namespace fairlead::client {
namespace {

using Opened = Result<std::unique_ptr<transport::Transport>>;

Task<Result<Line>> taken(Task<Opened> opening, bool turns_away = true) {
  auto opened = co_await std::move(opening);
  if (!opened) co_return std::unexpected(std::move(opened.error()));
  co_return Line{.transport = std::move(*opened), .turns_away = turns_away};
}

std::unexpected<Error> no_address(const std::string& text) {
  return fail(ErrorKind::invalid, "'" + text + "' is no address: write a URL, unix:<path> or tcp:<host>:<port>, or " +
                                      "give the command line of a server as a list");
}

// `host:port`, the host of IPv6 in brackets.
Result<std::pair<std::string, std::uint16_t>> split(std::string_view place, const std::string& whole) {
  const auto colon = place.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return no_address(whole);
  auto host = place.substr(0, colon);
  const auto digits = place.substr(colon + 1);
  std::uint16_t port = 0;
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (failed != std::errc() || end != digits.data() + digits.size() || port == 0) return no_address(whole);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return std::pair{std::string(host), port};
}

Task<Result<Line>> open(Loop loop, const LineOptions&, transport::ChildOptions command) {
  auto child = transport::ChildTransport::start(loop, std::move(command));
  if (!child) co_return std::unexpected(std::move(child.error()));
  auto* started = child->get();
  co_return Line{.transport = std::move(*child), .child = started, .turns_away = false};
}

bool has_scheme(std::string_view text, std::string_view scheme) {
  return text.starts_with(std::string(scheme) + "://") || text.starts_with(std::string(scheme) + "s://");
}

Task<Result<Line>> open_url(Loop loop, const LineOptions& options, std::string url) {
  auto http = options.http;
  http.url = std::move(url);
  if (has_scheme(http.url, "http") && options.http_sse) {
    co_return co_await taken(transport::connect_http_sse(loop, options.scope, std::move(http)));
  }
  if (has_scheme(http.url, "http")) {
    auto streamable = std::make_unique<transport::StreamableClient>(loop, options.scope, std::move(http));
    auto* opened = streamable.get();
    co_return Line{.transport = std::move(streamable), .streamable = opened};
  }
  if (has_scheme(http.url, "ws") || has_scheme(http.url, "rpc+ws")) {
    co_return co_await taken(transport::connect_websocket(loop, options.scope, std::move(http)));
  }
  co_return Line{.transport = transport::make_tool_client(loop, options.scope, std::move(http))};
}

bool is_url(std::string_view text) {
  return has_scheme(text, "http") || has_scheme(text, "ws") || has_scheme(text, "rpc+http") ||
         has_scheme(text, "sse+http") || has_scheme(text, "rpc+ws");
}

Task<Result<Line>> open(Loop loop, const LineOptions& options, Endpoint::Address address) {
  const std::string_view text = address.text;
  if (is_url(text)) co_return co_await open_url(loop, options, address.text);
  transport::FramedOptions framing;
  framing.max_message = options.http.max_message;
  if (text.starts_with("unix:")) {
    co_return co_await taken(transport::connect_unix(loop, std::string(text.substr(5)), std::move(framing)), false);
  }
  if (!text.starts_with("tcp:")) co_return no_address(address.text);
  auto place = split(text.substr(text.starts_with("tcp://") ? 6 : 4), address.text);
  if (!place) co_return std::unexpected(std::move(place.error()));
  co_return co_await taken(transport::connect_tcp(loop, place->first, place->second, std::move(framing)), false);
}

Task<Result<Line>> open(Loop loop, const LineOptions&, session::Service* service) {
  auto [ours, theirs] = transport::memory_pair(loop);
  co_return Line{.transport = std::move(ours), .far_end = std::move(theirs), .local = service};
}

Task<Result<Line>> open(Loop loop, const LineOptions&, Endpoint::Opener opener) {
  co_return co_await taken(opener(loop));
}

}  // namespace

Endpoint::Endpoint(std::initializer_list<std::string> command) : Endpoint(std::vector<std::string>(command)) {}
Endpoint::Endpoint(std::vector<std::string> command) : place_(transport::ChildOptions{.command = std::move(command)}) {}
Endpoint::Endpoint(transport::ChildOptions command) : place_(std::move(command)) {}
Endpoint::Endpoint(std::string address) : place_(Address{std::move(address)}) {}
Endpoint::Endpoint(const char* address) : Endpoint(std::string(address)) {}
Endpoint::Endpoint(session::Service& server) : place_(&server) {}
Endpoint::Endpoint(Opener open) : place_(std::move(open)) {}

Task<Result<Line>> open_line(Loop loop, Endpoint endpoint, LineOptions options) {
  auto opening = std::visit([&](const auto& place) { return open(loop, options, place); }, endpoint.place());
  co_return co_await std::move(opening);
}

}  // namespace fairlead::client
