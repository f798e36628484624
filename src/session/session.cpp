#include <atomic>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <utility>

#include "session/session_state.hpp"

namespace fairlead::session {
namespace {

// The deadline helper speaks of results.
Task<Result<bool>> joined(TaskScope& scope) {
  co_await scope.join();
  co_return true;
}

Task<void> write_all(SessionState& state, Result<void>* outcome) {
  *outcome = co_await state.outbox.drain();
  if (*outcome) co_return;
  state.lose(outcome->error());
}

Task<void> write_waiting(SessionState& state) {
  const auto written = co_await state.outbox.drain_now();
  if (written) co_return;
  state.lose(written.error());
}

Task<void> read_all(SessionState& state, Result<void>* outcome) {
  *outcome = co_await state.read_all();
}

// A task of its own, so that reading can end while the rest goes on.
Task<void> start_reading(SessionState& state, TaskScope& reader, Result<void>* outcome) {
  if (!state.finishing) state.reading = reader.spawn(read_all(state, outcome));
  co_return;
}

// Reads until the peer hangs up. What it asked for is still answered then: `printf … | server` wants its output.
Task<void> serve_all(SessionState& state, TaskScope& handlers, Result<void>* outcome) {
  state.handlers = &handlers;
  co_await with_scope(state.loop.log, state.options.name,
                      [&state, outcome](TaskScope& reader) { return start_reading(state, reader, outcome); });
  state.over.request_stop();
  const auto until = Deadline::in(state.options.drain, state.loop.timers.clock());
  co_await with_deadline(state.loop.timers, until, joined(handlers));
}

// Reading and answering; what the service says unasked goes on as long.
Task<void> attended(SessionState& state, TaskScope& unasked, Result<void>* outcome) {
  // The scope of the handlers has ended; who closes the session after that finds no dangling pointer.
  struct NoHandlers {
    explicit NoHandlers(SessionState& of) : state(of) {}
    NoHandlers(const NoHandlers&) = delete;
    NoHandlers& operator=(const NoHandlers&) = delete;
    ~NoHandlers() { state.handlers = nullptr; }
    SessionState& state;
  };
  state.attendance = state.attended(unasked);
  {
    const NoHandlers afterwards(state);
    co_await with_scope(state.loop.log, state.options.name,
                        [&state, outcome](TaskScope& handlers) { return serve_all(state, handlers, outcome); });
  }
  unasked.cancel();
}

// Both directions; the writer goes on until the last handler has said its word.
Task<void> both_ways(SessionState& state, TaskScope& writer, Result<void>* read, Result<void>* written) {
  // The attendance goes right after the scope of its tasks, however that ends: it must not start one in it any more.
  struct Leaving {
    explicit Leaving(SessionState& of) : state(of) {}
    Leaving(const Leaving&) = delete;
    Leaving& operator=(const Leaving&) = delete;
    ~Leaving() { state.attendance.reset(); }
    SessionState& state;
  };
  writer.spawn(write_all(state, written));
  {
    const Leaving leaving(state);
    co_await with_scope(state.loop.log, state.options.name,
                        [&state, read](TaskScope& unasked) { return attended(state, unasked, read); });
  }
  state.outbox.finish();
}

}  // namespace

const std::shared_ptr<const protocol::Caller>& nobody() {
  static const auto caller = std::make_shared<const protocol::Caller>();
  return caller;
}

std::uint64_t new_conversation_key() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

std::unique_ptr<Attendance> Service::attend(Conversation) {
  return nullptr;
}

std::vector<protocol::HeaderParam> Service::header_params(std::string_view, std::string_view) {
  return {};
}

SessionState::SessionState(Loop on, transport::Transport& carrier, Service& serving, SessionOptions chosen)
    : key(new_conversation_key()),
      loop(on),
      transport(carrier),
      service(serving),
      options(std::move(chosen)),
      era(options),
      outbox(transport, {.messages = options.max_queued, .bytes = options.max_queued_bytes}),
      pending(loop.timers),
      notices_in({.messages = options.max_queued, .bytes = options.max_queued_bytes}),
      notices_out({.messages = options.max_queued, .bytes = options.max_queued_bytes}) {}

Task<Result<void>> SessionState::converse() {
  Result<void> read;
  Result<void> written;
  co_await with_scope(loop.log, options.name,
                      [this, &read, &written](TaskScope& writer) { return both_ways(*this, writer, &read, &written); });
  transport.close();
  co_return read ? written : read;
}

void SessionState::open() {
  tasks = std::make_unique<TaskScope>(loop.executor, loop.log, options.name);
  handlers = tasks.get();
  outbox.write_on_demand([this] { tasks->spawn(write_waiting(*this)); });
  attendance = attended(*tasks);
}

Task<void> SessionState::end() {
  finish();
  over.request_stop();
  const auto until = Deadline::in(options.drain, loop.timers.clock());
  co_await with_deadline(loop.timers, until, joined(*tasks));
  tasks->cancel();
  co_await tasks->join();
  attendance.reset();
  handlers = nullptr;
  transport.close();
}

std::unique_ptr<Attendance> SessionState::attended(TaskScope& telling) {
  return service.attend(
      {.key = key, .principal = options.principal, .peer = *this, .executor = loop.executor, .tasks = telling});
}

void SessionState::finish() noexcept {
  finishing = true;
  pending.fail_all({.kind = ErrorKind::closed, .message = "the session is ending"});
  reading.cancel();
}

void SessionState::lose(const Error& why) {
  note_lost(why);
  pending.fail_all(why);
  close();
}

void SessionState::close() noexcept {
  closed = true;
  pending.fail_all({.kind = ErrorKind::closed, .message = "the session was closed"});
  if (handlers) handlers->cancel();
  outbox.abandon();
  transport.close();
}

Session::Session(Loop loop, transport::Transport& transport, Service& service, SessionOptions options)
    : state_(std::make_unique<SessionState>(loop, transport, service, std::move(options))) {}

Session::~Session() = default;

Task<Result<void>> Session::run() {
  return state_->converse();
}
void Session::open() {
  state_->open();
}
Task<void> Session::end() {
  return state_->end();
}
void Session::take(transport::Received&& received) {
  if (state_->handlers && !state_->finishing && !state_->closed) state_->take(std::move(received));
}
std::optional<jsonrpc::Message> Session::answer_now(jsonrpc::Request& request) {
  return state_->answer_now(request);
}
bool Session::is_behind() const {
  return state_->outbox.is_behind() && !state_->closed;
}
Task<void> Session::caught_up() {
  return state_->outbox.caught_up();
}
Service& Session::peer() {
  return *state_;
}
void Session::finish() noexcept {
  state_->finish();
}
void Session::close() noexcept {
  state_->close();
}
bool Session::is_over() const {
  return state_->pending.failed();
}
const protocol::Revision* Session::revision() const {
  return state_->era.revision();
}
const std::shared_ptr<const protocol::Implementation>& Session::signed_by() const {
  return state_->signed_by;
}
protocol::Dialect Session::dialect() const {
  return state_->era.dialect();
}

void Session::adopt(const protocol::Revision& revision, protocol::Caller self) {
  state_->era.adopt(revision, std::move(self));
}

}  // namespace fairlead::session
