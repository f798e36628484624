#include <algorithm>
#include <fairlead/store/session_id.hpp>

#include "transport/http_server/caller.hpp"
#include "transport/http_server/streamable_state.hpp"

namespace fairlead::transport {
namespace {

// Short enough that expired sessions end soon after their timeout.
Duration expiry_interval(const StreamableHttpOptions& options) {
  return std::clamp<Duration>(options.sessions.idle / 8, std::chrono::seconds{1}, std::chrono::minutes{1});
}

}  // namespace

StreamableHttpState::StreamableHttpState(EventLoop on, std::size_t index, SessionFactory& maker,
                                         StreamableHttpOptions chosen)
    : loop(on),
      worker(index),
      factory(maker),
      options(chosen),
      settings{.log = chosen.log, .retry = chosen.retry},
      sessions(chosen.sessions, loop.timers.clock()),
      running(loop.executor, loop.log, "http"),
      expiry_timer(loop.timers, [this] { end_expired(); }) {}

Result<std::shared_ptr<HttpSession>> StreamableHttpState::open(const http::Request& request) {
  if (running.cancelled()) return fail(ErrorKind::refused, "the server is stopping: try again later");
  std::shared_ptr<HttpSession> evicted;
  const auto capacity = sessions.make_capacity(request.principal, evicted);
  if (capacity == HttpSessionTable::Capacity::full)
    return fail(ErrorKind::refused, "too many sessions: try again later");
  if (capacity == HttpSessionTable::Capacity::share_used) {
    return fail(ErrorKind::refused, "you have too many sessions in use: end some of them, then try again");
  }
  if (evicted) end(evicted);
  auto session = std::make_shared<HttpSession>(loop, store::make_session_id(worker), request.principal, settings);
  session->set_server_session(factory.open(loop, *session, peer_info(request, "http")));
  session->server_session().open();
  sessions.insert(session);
  if (!expiry_timer.armed()) expiry_timer.arm(Deadline::in(expiry_interval(options), loop.timers.clock()));
  return session;
}

void StreamableHttpState::end(const std::shared_ptr<HttpSession>& session) {
  if (session->ending()) return;
  sessions.erase(session->id());
  session->server_session().close();
  session->close();
  running.spawn(wait_for_end(session));
}

Task<void> StreamableHttpState::wait_for_end(std::shared_ptr<HttpSession> session) {
  co_await session->server_session().end();
}

void StreamableHttpState::end_expired() {
  const auto expired = sessions.expire();
  for (const auto& session : expired) end(session);
  if (sessions.size() != 0) expiry_timer.arm(Deadline::in(expiry_interval(options), loop.timers.clock()));
}

Task<void> StreamableHttp::close() {
  const auto all = state_->sessions.take_all();
  for (const auto& session : all) state_->end(session);
  co_await state_->running.join();
}

}  // namespace fairlead::transport
