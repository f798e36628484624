#include <algorithm>
#include <fairlead/store/session_id.hpp>
#include <utility>

#include "transport/http_server/streamable_state.hpp"

namespace fairlead::transport {
namespace {

// Often enough that an idle session does not stay much longer than it may.
Duration sweep_every(const StreamableHttpOptions& options) {
  return std::clamp<Duration>(options.sessions.idle / 8, std::chrono::seconds{1}, std::chrono::minutes{1});
}

}  // namespace

StreamableHttp::State::State(Loop on, std::size_t index, Host& hosting, StreamableHttpOptions chosen)
    : loop(on),
      worker(index),
      host(hosting),
      options(chosen),
      terms{.log = chosen.log, .retry = chosen.retry},
      sessions(chosen.sessions, loop.timers.clock()),
      running(loop.executor, loop.log, "http"),
      sweeping(loop.timers, [this] { sweep(); }) {}

Result<std::shared_ptr<HttpSession>> StreamableHttp::State::open(const http::Request& request) {
  if (running.cancelled()) return fail(ErrorKind::refused, "the server is stopping: try again later");
  std::shared_ptr<HttpSession> evicted;
  const auto room = sessions.make_room(request.principal, evicted);
  if (room == Sessions::Room::full) return fail(ErrorKind::refused, "too many sessions: try again later");
  if (room == Sessions::Room::share_used) {
    return fail(ErrorKind::refused, "too many sessions of yours are in use: end some of them, then try again");
  }
  if (evicted) end(evicted);
  auto session = std::make_shared<HttpSession>(loop, store::make_session_id(worker), request.principal, terms);
  session->host(host.open(loop, *session, guest(request)));
  session->hosted().open();
  sessions.insert(session);
  if (!sweeping.armed()) sweeping.arm(Deadline::in(sweep_every(options), loop.timers.clock()));
  return session;
}

void StreamableHttp::State::end(const std::shared_ptr<HttpSession>& session) {
  if (session->ending()) return;
  sessions.erase(session->id());
  session->hosted().close();
  session->close();
  running.spawn(wait_for_end(session));
}

Task<void> StreamableHttp::State::wait_for_end(std::shared_ptr<HttpSession> session) {
  co_await session->hosted().end();
}

void StreamableHttp::State::sweep() {
  const auto expired = sessions.expire();
  for (const auto& session : expired) end(session);
  if (sessions.size() != 0) sweeping.arm(Deadline::in(sweep_every(options), loop.timers.clock()));
}

Task<void> StreamableHttp::close() {
  const auto all = state_->sessions.take_all();
  for (const auto& session : all) state_->end(session);
  co_await state_->running.join();
}

}  // namespace fairlead::transport
