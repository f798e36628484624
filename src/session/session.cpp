#include <atomic>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <utility>

#include "base/scope_exit.hpp"
#include "session/session_state.hpp"

namespace fairlead::session {
namespace {

Error session_ended() {
  return {.kind = ErrorKind::closed, .message = "the session has ended"};
}

// `with_deadline` needs a task with a result.
Task<Result<bool>> joined(TaskScope& scope) {
  co_await scope.join();
  co_return true;
}

Task<void> read_all(SessionState& state, Result<void>* outcome) {
  *outcome = co_await state.read_all();
}

// A separate task, so that reading can be cancelled on its own.
Task<void> start_reading(SessionState& state, TaskScope& reader, Result<void>* outcome) {
  if (!state.finishing) state.reading = reader.spawn(read_all(state, outcome));
  co_return;
}

// Reads until the peer closes the connection. Pending requests are still answered: `printf … | server` expects output.
Task<void> serve_all(SessionState& state, TaskScope& handlers, Result<void>* outcome) {
  state.handlers = &handlers;
  co_await with_scope(state.loop.log, state.options.name,
                      [&state, outcome](TaskScope& reader) { return start_reading(state, reader, outcome); });
  state.peer_closed.request_stop();
  const auto until = Deadline::in(state.options.drain_timeout, state.loop.timers.clock());
  co_await with_deadline(state.loop.timers, until, joined(handlers));
}

// Serves the peer while the session hook of the service exists.
Task<void> serve_with_hook(SessionState& state, TaskScope& hook_tasks, Result<void>* outcome) {
  state.hook = state.open_hook(hook_tasks);
  {
    // `close` may be called after the scope of the handlers has ended.
    const ScopeExit at_end([&state] { state.handlers = nullptr; });
    co_await with_scope(state.loop.log, state.options.name,
                        [&state, outcome](TaskScope& handlers) { return serve_all(state, handlers, outcome); });
  }
  hook_tasks.cancel();
}

// Reads and writes. The scope of the writers ends when the responses of the last handler are written.
Task<void> read_and_write(SessionState& state, TaskScope& writers, Result<void>* read) {
  state.start_writing(writers);
  // Right after the scope of its tasks, so that the hook cannot start new ones.
  const ScopeExit at_end([&state] { state.hook.reset(); });
  co_await with_scope(state.loop.log, state.options.name,
                      [&state, read](TaskScope& hook_tasks) { return serve_with_hook(state, hook_tasks, read); });
}

}  // namespace

const std::shared_ptr<const protocol::ClientIdentity>& anonymous_caller() {
  static const auto caller = std::make_shared<const protocol::ClientIdentity>();
  return caller;
}

std::uint64_t new_session_key() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

std::unique_ptr<SessionHook> Service::on_session_open(SessionRef) {
  return nullptr;
}

std::vector<protocol::HeaderParam> Service::header_params(std::string_view, std::string_view) {
  return {};
}

SessionState::SessionState(EventLoop on, transport::Transport& carrier, Service& serving, SessionOptions chosen)
    : key(new_session_key()),
      loop(on),
      transport(carrier),
      service(serving),
      options(std::move(chosen)),
      negotiator(options),
      send_queue(transport, {.messages = options.max_queued, .bytes = options.max_queued_bytes}),
      pending(loop.timers),
      notifications_in({.messages = options.max_queued, .bytes = options.max_queued_bytes}),
      notifications_out({.messages = options.max_queued, .bytes = options.max_queued_bytes}) {}

Task<Result<void>> SessionState::run() {
  Result<void> read;
  {
    // The writers' scope does not exist any more.
    const ScopeExit at_end([this] { send_queue.stop(session_ended()); });
    co_await with_scope(loop.log, options.name,
                        [this, &read](TaskScope& writers) { return read_and_write(*this, writers, &read); });
    if (read && send_queue.failure()) read = std::unexpected(*send_queue.failure());
  }
  transport.close();
  co_return read;
}

void SessionState::start_writing(TaskScope& writers) {
  send_queue.start([&writers](Task<void> writer) { writers.spawn(std::move(writer)); },
                   [this](const Error& why) { on_send_failed(why); });
}

void SessionState::open() {
  tasks = std::make_unique<TaskScope>(loop.executor, loop.log, options.name);
  handlers = tasks.get();
  start_writing(*tasks);
  hook = open_hook(*tasks);
}

Task<void> SessionState::end() {
  shutdown_gracefully();
  peer_closed.request_stop();
  const auto until = Deadline::in(options.drain_timeout, loop.timers.clock());
  co_await with_deadline(loop.timers, until, joined(*tasks));
  tasks->cancel();
  co_await tasks->join();
  hook.reset();
  handlers = nullptr;
  send_queue.stop(session_ended());
  transport.close();
}

std::unique_ptr<SessionHook> SessionState::open_hook(TaskScope& hook_tasks) {
  return service.on_session_open({.key = key, .principal = options.principal, .peer = *this, .tasks = hook_tasks});
}

void SessionState::shutdown_gracefully() noexcept {
  finishing = true;
  pending.fail_all({.kind = ErrorKind::closed, .message = "the session is ending"});
  reading.cancel();
}

void SessionState::on_send_failed(const Error& why) {
  on_peer_closed(why);
  pending.fail_all(why);
  close();
}

void SessionState::close() noexcept {
  closed = true;
  pending.fail_all({.kind = ErrorKind::closed, .message = "the session was closed"});
  if (handlers) handlers->cancel();
  send_queue.stop_waiting();
  transport.close();
}

Session::Session(EventLoop loop, transport::Transport& transport, Service& service, SessionOptions options)
    : state_(std::make_unique<SessionState>(loop, transport, service, std::move(options))) {}

Session::~Session() = default;

Task<Result<void>> Session::run() {
  return state_->run();
}
void Session::open() {
  state_->open();
}
Task<void> Session::end() {
  return state_->end();
}
void Session::on_message(transport::Received&& received) {
  if (state_->handlers && !state_->finishing && !state_->closed) state_->on_message(std::move(received));
}
bool Session::is_backlogged() const {
  return state_->send_queue.is_backlogged() && !state_->closed;
}
Task<void> Session::backlog_cleared() {
  return state_->send_queue.backlog_cleared();
}
Service& Session::peer() {
  return *state_;
}
void Session::shutdown_gracefully() noexcept {
  state_->shutdown_gracefully();
}
void Session::close() noexcept {
  state_->close();
}
bool Session::is_closed() const {
  return state_->pending.failed();
}
void Session::set_caller(std::shared_ptr<const http::Identity> identity,
                         std::shared_ptr<const std::string> access_token) {
  state_->options.identity = std::move(identity);
  state_->options.access_token = std::move(access_token);
}
const protocol::Revision* Session::revision() const {
  return state_->negotiator.revision();
}
const std::shared_ptr<const protocol::Implementation>& Session::last_server_info() const {
  return state_->last_server_info;
}
protocol::ErrorDialect Session::dialect() const {
  return state_->negotiator.dialect();
}

void Session::adopt(const protocol::Revision& revision, protocol::ClientIdentity self) {
  state_->negotiator.adopt(revision, std::move(self));
}

}  // namespace fairlead::session
