#include <utility>

#include "transport/http_server/content_negotiation.hpp"
#include "transport/http_server/jsonrpc_response.hpp"
#include "transport/http_server/session_post_response.hpp"
#include "transport/http_server/single_request_transport.hpp"
#include "transport/http_server/streamable_state.hpp"

namespace fairlead::transport {
namespace {

http::Response unknown_event() {
  return error_response(400, jsonrpc::code::invalid_request,
                        "Last-Event-ID does not name an event of this session: open a stream without it");
}

}  // namespace

Task<void> StreamableHttpState::serve_stateless(http::Exchange& exchange, StatelessPost post) {
  StatelessRequestTransport transport(std::move(post.request));
  StreamStart start{.keep_alive = options.keep_alive};
  co_await serve_single_request(exchange, factory, peer_info(exchange.request()), transport, std::move(start));
}

Task<void> StreamableHttpState::serve_initialize(http::Exchange& exchange, InitializePost post) {
  const auto made = open(exchange.request());
  if (!made) {
    auto full = error_response(503, jsonrpc::code::internal_error, made.error().message, post.request.id);
    full.headers.push_back({"Retry-After", "10"});
    co_await exchange.respond(std::move(full));
    co_return;
  }
  const auto& session = *made;
  std::vector<http::Header> headers;
  headers.push_back({std::string(protocol::header::session_id), session->id()});
  Received body = jsonrpc::Message(std::move(post.request));
  const auto answer = std::make_shared<SessionPostResponse>(loop, session, std::move(body), options.keep_alive);
  answer->start(nullptr);
  const auto written = co_await answer->write(exchange, std::move(headers));
  // If `initialize` failed or was not delivered, no client knows the session id.
  if (written == Written::some || !session->opened()) end(session);
}

Task<void> StreamableHttpState::serve_in_session(http::Exchange& exchange, SessionPost post) {
  const auto answer =
      std::make_shared<SessionPostResponse>(loop, std::move(post.session), std::move(post.body), options.keep_alive);
  answer->start(nullptr);
  co_await answer->write(exchange);
}

std::optional<http::Response> StreamableHttpState::check_stream(const http::Request& request) const {
  if (accepts(request, event_stream)) return std::nullopt;
  return error_response(406, jsonrpc::code::invalid_request, "Not Acceptable: send Accept: text/event-stream");
}

Task<void> StreamableHttpState::serve_stream(http::Exchange& exchange) {
  auto& request = exchange.request();
  if (auto refused = check_stream(request)) return respond(exchange, std::move(*refused));
  auto session = find_session(request, sessions);
  if (!session) return respond(exchange, std::move(session.error()));
  const auto last = request.header(protocol::header::last_event_id);
  const auto from = last ? store::EventId::parse(*last) : (*session)->unread();
  if (!from) return respond(exchange, unknown_event());
  return follow(exchange, std::move(*session), *from);
}

Task<void> StreamableHttpState::follow(http::Exchange& exchange, std::shared_ptr<HttpSession> session,
                                       store::EventId from) {
  const auto channel = std::make_shared<ResponseChannel>();
  if (!co_await session->follow(channel, from)) {
    co_await exchange.respond(unknown_event());
    co_return;
  }
  auto start = session->start(from, options.keep_alive, true);
  start.at_once = true;
  co_await write_response(exchange, channel, std::move(start));
  session->detach(from.stream, *channel);
}

}  // namespace fairlead::transport
