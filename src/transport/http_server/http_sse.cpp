#include <fairlead/transport/http_sse.hpp>

#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/http/sse.hpp>
#include <fairlead/store/session_id.hpp>
#include <utility>

#include "base/scope_exit.hpp"
#include "transport/http_server/caller.hpp"
#include "transport/http_server/content_negotiation.hpp"
#include "transport/http_server/forwarded_headers.hpp"
#include "transport/http_server/jsonrpc_response.hpp"
#include "transport/http_server/operation_scopes.hpp"
#include "transport/http_server/response_writer.hpp"
#include "transport/http_server/sse_session.hpp"

namespace fairlead::transport {
namespace {

using jsonrpc::code::invalid_request;

std::optional<std::string_view> session_of(std::string_view query) {
  constexpr std::string_view name = "sessionId=";
  while (!query.empty()) {
    const auto end = query.find('&');
    const auto field = query.substr(0, end);
    if (field.starts_with(name)) return field.substr(name.size());
    if (end == std::string_view::npos) break;
    query.remove_prefix(end + 1);
  }
  return std::nullopt;
}

bool brings_request(const jsonrpc::Incoming& incoming) {
  const auto* message = std::get_if<jsonrpc::Message>(&incoming);
  return message == nullptr || std::holds_alternative<jsonrpc::Request>(*message);
}

Task<void> write_all(http::Exchange& exchange, SseSession& session, StreamStart start) {
  co_await write_response(exchange, session.channel(), std::move(start));
  session.server_session().close();
}

using SseSessionTable = store::SessionTable<SseSession>;

}  // namespace

struct HttpSseHandlerState {
  HttpSseHandlerState(EventLoop on, std::size_t index, SessionFactory& maker, HttpSseOptions chosen)
      : loop(on),
        worker(index),
        factory(maker),
        options(std::move(chosen)),
        sessions({.max_entries = options.max_streams}, loop.timers.clock()) {}

  http::Response on_post(http::Request& request);
  std::string endpoint_event(const SseSession& session) const;
  Task<void> stream(http::Exchange& exchange);

  EventLoop loop;
  std::size_t worker;
  SessionFactory& factory;
  HttpSseOptions options;
  SseSessionTable sessions;
};

HttpSse::HttpSse(EventLoop loop, std::size_t worker, SessionFactory& factory, HttpSseOptions options)
    : state_(std::make_unique<HttpSseHandlerState>(loop, worker, factory, std::move(options))) {}

HttpSse::~HttpSse() = default;

std::size_t HttpSse::streams() const {
  return state_->sessions.size();
}

std::optional<std::size_t> HttpSse::preferred_worker(const http::Request& request) const {
  const auto id = session_of(request.query);
  const auto worker = id ? store::worker_of(*id) : std::nullopt;
  return worker && *worker < state_->options.workers ? worker : std::nullopt;
}

// GET opens a stream, POST sends a message.
Task<http::Response> HttpSse::handle(http::Request& request) {
  const bool is_message = request.path == state_->options.messages;
  if (request.method != (is_message ? "POST" : "GET")) return method_not_allowed(is_message ? "POST" : "GET");
  if (is_message) return state_->on_post(request);
  if (!accepts(request, event_stream)) {
    return error_response(406, invalid_request, "Not Acceptable: send Accept: text/event-stream");
  }
  return http::streamed([state = state_.get()](http::Exchange& exchange) { return state->stream(exchange); });
}

http::Response HttpSseHandlerState::on_post(http::Request& request) {
  const auto id = session_of(request.query);
  if (!id) return error_response(400, invalid_request, "sessionId is missing: post to the endpoint of the stream");
  const auto session = sessions.find(*id);
  if (!session || session->principal() != request.principal) {
    return error_response(404, session_not_found, "Session not found: open another stream");
  }
  if (!has_type(request, json_type)) {
    return error_response(415, invalid_request, "Unsupported Media Type: send Content-Type: application/json");
  }
  auto incoming = jsonrpc::read(std::move(request.body));
  if (!incoming) {
    const auto& bad = incoming.error();
    if (bad.answered_id)
      session->server_session().on_message(RequestFailed{*bad.answered_id, invalid_response_error(bad)});
    return error_response(400, bad);
  }
  if (auto refused = refuse_operations(request, *incoming)) return std::move(*refused);
  if (brings_request(*incoming) && session->server_session().is_backlogged()) return busy({});
  attach_headers(*incoming, request, factory);
  if (request.identity) session->server_session().set_caller(request.identity, request.access_token);
  session->server_session().on_message(received(std::move(*incoming)));
  return {.status = 202, .content_type = "text/plain", .body = "Accepted"};
}

std::string HttpSseHandlerState::endpoint_event(const SseSession& session) const {
  const http::SseEvent event{.event = "endpoint",
                             .data = options.base + options.messages + "?sessionId=" + session.id()};
  std::string text;
  (void)http::write_sse(text, event);
  return text;
}

Task<void> HttpSseHandlerState::stream(http::Exchange& exchange) {
  auto& principal = exchange.request().principal;
  std::shared_ptr<SseSession> evicted;
  const auto capacity = sessions.make_capacity(principal, evicted);
  if (capacity != SseSessionTable::Capacity::made) {
    auto full = error_response(503, jsonrpc::code::internal_error,
                               capacity == SseSessionTable::Capacity::full
                                   ? "too many streams: try again later"
                                   : "you have too many open streams: close some, then try again");
    co_await exchange.respond(std::move(full));
    co_return;
  }
  const auto session = std::make_shared<SseSession>(store::make_session_id(worker), principal);
  auto peer = peer_info(exchange.request(), "sse");
  session->set_server_session(factory.open(loop, *session, std::move(peer)));
  sessions.insert(session);  // So that POSTs find it.
  const ScopeExit unregister([&] { sessions.erase(session->id()); });
  session->channel()->write_events(endpoint_event(*session));
  StreamStart start{.keep_alive = options.keep_alive, .at_once = true};
  start.lifetime = stream_lifetime(exchange.request()).value_or(Duration::zero());
  co_await run_session(session->server_session(), write_all(exchange, *session, std::move(start)));
}

}  // namespace fairlead::transport
