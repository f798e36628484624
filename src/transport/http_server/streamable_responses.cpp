#include <utility>

#include "transport/http_server/caller.hpp"
#include "transport/http_server/content_negotiation.hpp"
#include "transport/http_server/jsonrpc_response.hpp"
#include "transport/http_server/streamable_state.hpp"

namespace fairlead::transport {
namespace {

http::Response unknown_event() {
  return error_response(400, jsonrpc::code::invalid_request,
                        "Last-Event-ID does not name an event of this session: open a stream without it");
}

}  // namespace

/// A stateless request that waits. Its notifications make the response an event stream.
struct StreamableHttpState::StatelessCall final : NotificationSink {
  Task<Result<void>> send(jsonrpc::Notification notification) override {
    if (channel.full()) return send_when_writable(std::move(notification));
    channel.write_message(jsonrpc::write(notification));
    return Result<void>();
  }

  Task<Result<void>> send_when_writable(jsonrpc::Notification notification) {
    co_await channel.writable();
    co_return co_await send(std::move(notification));
  }

  void respond(const jsonrpc::Message& response) {
    if (!channel.streaming()) return channel.answer(stateless_response(response));
    channel.write_message(jsonrpc::write(response));
    channel.end();
  }

  ResponseChannel channel;
};

Task<http::Response> StreamableHttpState::respond_stateless(jsonrpc::Request&& request, PeerInfo&& peer,
                                                            Duration lifetime) {
  auto call = std::make_shared<StatelessCall>();
  auto responding = factory.respond(loop, std::move(request), std::move(peer), *call);
  if (responding.is_ready() && !call->channel.streaming()) return stateless_response(responding.take());
  // The task of the call outlives that of the response, which may become a stream, and is cancelled with it.
  auto task = running.spawn(run(call, std::move(responding)));
  if (!task) return error_response(503, jsonrpc::code::internal_error, "the server is stopping: try again later");
  const std::shared_ptr<void> owner(nullptr, [task, call](void*) mutable {
    call->channel.close();
    task.cancel();
  });
  const std::shared_ptr<ResponseChannel> channel(call, &call->channel);
  return first_response(loop.timers, channel, {.keep_alive = options.keep_alive, .lifetime = lifetime}, owner);
}

Task<void> StreamableHttpState::run(std::shared_ptr<StatelessCall> call, Task<jsonrpc::Message> responding) {
  // A local, which is destroyed before the call that it uses: GCC 12 destroys parameters in their order.
  auto task = std::move(responding);
  const auto response = co_await std::move(task);
  call->respond(response);
}

Task<http::Response> StreamableHttpState::initialize(const http::Request& request, jsonrpc::Request&& initialize) {
  auto made = open(request);
  if (!made) {
    auto full = error_response(503, jsonrpc::code::internal_error, made.error().message, initialize.id);
    full.headers.push_back({"Retry-After", "10"});
    return full;
  }
  // If `initialize` failed or the client has gone, no client knows the session id.
  const auto session = std::move(*made);
  std::shared_ptr<void> owner(nullptr, [this, session](void*) {
    if (!session->opened()) end(session);
  });
  return session->respond(jsonrpc::Message(std::move(initialize)), options.keep_alive, std::move(owner));
}

std::optional<http::Response> StreamableHttpState::check_stream(const http::Request& request) {
  if (accepts(request, event_stream)) return std::nullopt;
  return error_response(406, jsonrpc::code::invalid_request, "Not Acceptable: send Accept: text/event-stream");
}

Task<http::Response> StreamableHttpState::open_stream(const http::Request& request) {
  if (auto refused = check_stream(request)) return std::move(*refused);
  auto session = find_session(request, sessions);
  if (!session) return std::move(session.error());
  const auto last = request.header(protocol::header::last_event_id);
  const auto from = last ? store::EventId::parse(*last) : (*session)->unread();
  if (!from) return unknown_event();
  return follow(std::move(*session), *from, stream_lifetime(request).value_or(Duration::zero()));
}

Task<http::Response> StreamableHttpState::follow(std::shared_ptr<HttpSession> session, store::EventId from,
                                                 Duration lifetime) {
  const auto channel = std::make_shared<ResponseChannel>();
  if (!co_await session->follow(channel, from)) co_return unknown_event();
  auto start = session->start(from, options.keep_alive, true);
  start.at_once = true;
  start.lifetime = lifetime;
  std::shared_ptr<void> owner(nullptr, [session, channel, from](void*) { session->detach(from.stream, *channel); });
  co_return co_await first_response(loop.timers, channel, std::move(start), std::move(owner));
}

}  // namespace fairlead::transport
