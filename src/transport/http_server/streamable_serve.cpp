#include <utility>

#include "transport/http_server/media.hpp"
#include "transport/http_server/one_shot.hpp"
#include "transport/http_server/rpc_answer.hpp"
#include "transport/http_server/streamable_state.hpp"

namespace fairlead::transport {
namespace {

std::vector<jsonrpc::Id> asked_ids(const Received& body) {
  std::vector<jsonrpc::Id> ids;
  const auto add = [&](const jsonrpc::Message& message) {
    if (const auto* request = std::get_if<jsonrpc::Request>(&message)) ids.push_back(request->id);
  };
  if (const auto* message = std::get_if<jsonrpc::Message>(&body)) add(*message);
  if (const auto* batch = std::get_if<jsonrpc::Batch>(&body)) {
    for (const auto& entry : batch->entries) {
      if (entry) add(*entry);
    }
  }
  return ids;
}

std::optional<http::Response> overtaken(const HttpSession& session, const std::vector<jsonrpc::Id>& ids) {
  if (session.closed()) return session_gone(ids.front());
  const auto twice = std::ranges::find_if(ids, [&](const auto& id) { return session.awaits(id); });
  return twice == ids.end() ? std::nullopt : std::optional(id_in_use(*twice));
}

http::Response unknown_event() {
  return refusal(400, jsonrpc::code::invalid_request,
                 "Last-Event-ID names no event of this session: open a stream without it");
}

}  // namespace

Task<void> StreamableHttp::State::serve_stateless(http::Exchange& exchange, StatelessPost post) {
  StatelessShot shot(std::move(post.request));
  StreamStart start{.keep_alive = options.keep_alive};
  co_await serve_once(exchange, host, guest(exchange.request()), shot, std::move(start));
}

Task<void> StreamableHttp::State::serve_opening(http::Exchange& exchange, OpeningPost post) {
  const auto session = open(exchange.request());
  if (!session) {
    auto full = refusal(503, jsonrpc::code::internal_error, "too many sessions: try again later", post.request.id);
    full.headers.push_back({"Retry-After", "10"});
    co_await exchange.respond(std::move(full));
    co_return;
  }
  std::vector<http::Header> headers;
  headers.push_back({std::string(protocol::header::session_id), session->id()});
  std::vector<jsonrpc::Id> ids{post.request.id};
  Received body = jsonrpc::Message(std::move(post.request));
  const auto written = co_await serve_requests(exchange, session, std::move(body), std::move(ids), std::move(headers));
  // Nobody knows the name of a session whose opening failed or was never heard of.
  if (written == Written::some || !session->opened()) end(session);
}

Task<void> StreamableHttp::State::serve_in_session(http::Exchange& exchange, SessionPost post) {
  auto ids = asked_ids(post.body);
  // It may have been sorted a while ago: before what its connection still had to send had left.
  if (auto refused = overtaken(*post.session, ids)) {
    co_await exchange.respond(std::move(*refused));
    co_return;
  }
  std::vector<http::Header> headers;
  co_await serve_requests(exchange, post.session, std::move(post.body), std::move(ids), std::move(headers));
}

Task<Written> StreamableHttp::State::serve_requests(http::Exchange& exchange, std::shared_ptr<HttpSession> session,
                                                    Received body, std::vector<jsonrpc::Id> ids,
                                                    std::vector<http::Header> headers) {
  const auto lane = std::make_shared<Lane>();
  const auto number = session->await(std::move(ids), lane);
  auto start = session->start({.stream = number}, options.keep_alive, false);
  start.headers = std::move(headers);
  session->hosted().take(std::move(body));
  const auto written = co_await pump(exchange, lane, std::move(start));
  session->leave(number, *lane);
  co_return written;
}

std::optional<http::Response> StreamableHttp::State::check_stream(const http::Request& request) const {
  if (accepts(request, event_stream)) return std::nullopt;
  return refusal(406, jsonrpc::code::invalid_request, "Not Acceptable: send Accept: text/event-stream");
}

Task<void> StreamableHttp::State::serve_stream(http::Exchange& exchange) {
  auto& request = exchange.request();
  if (auto refused = check_stream(request)) return respond(exchange, std::move(*refused));
  auto session = find_session(request, sessions);
  if (!session) return respond(exchange, std::move(session.error()));
  const auto last = request.header(protocol::header::last_event_id);
  const auto from = last ? store::EventId::parse(*last) : (*session)->unread();
  if (!from) return respond(exchange, unknown_event());
  return follow(exchange, std::move(*session), *from);
}

Task<void> StreamableHttp::State::follow(http::Exchange& exchange, std::shared_ptr<HttpSession> session,
                                         store::EventId from) {
  const auto lane = std::make_shared<Lane>();
  if (!co_await session->follow(lane, from)) {
    co_await exchange.respond(unknown_event());
    co_return;
  }
  auto start = session->start(from, options.keep_alive, true);
  start.at_once = true;
  co_await pump(exchange, lane, std::move(start));
  session->leave(from.stream, *lane);
}

}  // namespace fairlead::transport
