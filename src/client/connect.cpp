#include <fairlead/base/diagnosis.hpp>
#include <fairlead/base/log.hpp>
#include <fairlead/base/timer_wheel.hpp>

#include "base/scope_exit.hpp"
#include "client/connection_state.hpp"
#include "client/negotiation.hpp"

namespace fairlead::client {
namespace {

session::SessionOptions session_options() {
  session::SessionOptions options;
  options.side = session::Side::client;
  options.detect_dialect = false;
  options.name = "client";
  return options;
}

// Serves a service of this process at the far end of the in-memory transport.
Task<void> serve_locally(EventLoop loop, std::shared_ptr<ActiveSession> active) {
  session::SessionOptions options;
  options.name = "server";
  options.drain_timeout = {};  // No other client uses these handlers.
  session::Session far(loop, *active->transport.far_end, *active->transport.local, std::move(options));
  co_await far.run();
}

Task<void> run_session(std::shared_ptr<ConnectionState> state, std::shared_ptr<ActiveSession> active) {
  if (active->transport.local) state->scope.spawn(serve_locally(state->loop, active));
  co_await active->session.run();
  if (active->transport.child) co_await active->transport.child->shutdown();
}

// Adds the stderr and exit status of a child process to a timeout or a broken pipe.
Error with_child_diagnosis(Error error, const OpenedTransport& line) {
  if (!line.child || (error.diagnosis && error.diagnosis->command)) return error;
  const auto step = error.diagnosis ? error.diagnosis->step.value_or("") : "";
  if (error.kind == ErrorKind::timeout && !step.empty()) error.message = "no answer to " + step + " in time";
  return with_diagnosis(std::move(error), line.child->diagnosis());
}

// For a second attempt: hides the first lines of stderr while they repeat those of the first attempt.
Endpoint without_repeated_stderr(const EventLoop& loop, const Endpoint& endpoint, const Diagnosis& first) {
  auto command = std::get<transport::ChildOptions>(endpoint.location());
  auto show = std::move(command.on_stderr);
  if (!show) {
    show = [&sink = loop.log, name = command.framing.name](std::string_view line) {
      log(sink, LogLevel::info, name, [&] { return "stderr: " + std::string(line); });
    };
  }
  command.on_stderr = [show = std::move(show), shown = first.stderr_, next = 0UZ](std::string_view line) mutable {
    const bool repeated = next < shown.size() && (line.empty() || line == shown[next]);
    if (!repeated) {
      next = shown.size();
      show(line);
    } else if (!line.empty()) {
      ++next;
    }
  };
  return command;
}

ClientOptions with_identity(ClientOptions options) {
  if (options.client_info.version.empty()) options.client_info.version = FAIRLEAD_VERSION;
  return options;
}

}  // namespace

ConnectionState::ConnectionState(EventLoop on, Endpoint where, ClientOptions chosen, TaskScope& owner)
    : loop(on),
      endpoint(std::move(where)),
      options(with_identity(std::move(chosen))),
      scope(owner),
      request_handler(options),
      subscriptions(*this),
      cache(loop.timers.clock()),
      era_(options.era),
      attempt_ended_(loop.executor) {
  request_handler.before_notification = [this](const auto& received) {
    cache.on_notification(received.method, received.params);
  };
}

Task<Result<std::shared_ptr<ActiveSession>>> ConnectionState::ensure_connected() {
  auto active = closed_ ? nullptr : active_session();
  if (active) return active;
  return connect();
}

Task<Result<std::shared_ptr<ActiveSession>>> ConnectionState::connect() {
  while (true) {
    if (closed_) co_return fail(ErrorKind::closed, "the connection was closed");
    if (auto active = active_session()) co_return active;
    if (active_ && active_->ready && !options.reconnect) co_return fail(ErrorKind::closed, "the server disconnected");
    if (!opening_) co_return co_await open();
    co_await attempt_ended_.wait();
    const auto stop = co_await this_task::stop_token;
    if (stop.stop_requested()) co_return fail(ErrorKind::cancelled, "cancelled while connecting");
  }
}

Task<Result<std::shared_ptr<ActiveSession>>> ConnectionState::open() {
  opening_ = true;
  // Also on failure and cancellation: wakes the coroutines that wait for this attempt, and closes a half-open session.
  const ScopeExit end_attempt([this] {
    opening_ = false;
    if (active_ && !active_->ready) active_->session.close();
    attempt_ended_.notify();
  });

  auto opened = co_await open_in(era_, endpoint);
  const bool closed_by_discover =
      !opened && opened.error().kind == ErrorKind::closed && era_ == EraPreference::automatic && !closed_;
  // Some servers of the handshake era exit on an unknown first request, others take it for their handshake.
  if (closed_by_discover && options.revision.empty()) {
    // Wait for the old process: it may hold a port or file that the new one needs.
    const auto previous = active_;
    auto again = endpoint;
    if (previous && previous->transport.child) {
      co_await previous->transport.child->wait();
      again = without_repeated_stderr(loop, endpoint, previous->transport.child->diagnosis());
    }
    opened = co_await open_in(EraPreference::handshake_first, std::move(again));
  }
  if (!opened && may_speak_http_sse()) {
    http_sse_ = true;
    auto older = co_await open_in(EraPreference::handshake, endpoint);
    http_sse_ = older.has_value();
    if (older) opened = std::move(older);
  }
  if (!opened) co_return opened;
  if (server.revision->lifecycle == protocol::Lifecycle::handshake) era_ = EraPreference::handshake;
  co_return opened;
}

// A server that only has HTTP+SSE refuses the POST of Streamable HTTP, because it posts to another URL.
bool ConnectionState::may_speak_http_sse() const {
  const auto* tried = active_ ? active_->transport.streamable : nullptr;
  return tried && tried->rejected_initialize_status() != 0 && !closed_;
}

Task<Result<std::shared_ptr<ActiveSession>>> ConnectionState::open_in(EraPreference era, Endpoint where) {
  TransportOptions transport_options{.scope = scope, .http = options.http, .http_sse = http_sse_};
  auto line = co_await open_transport(loop, std::move(where), std::move(transport_options));
  if (!line) co_return std::unexpected(std::move(line.error()));
  // close() waits for the scope, so nothing may start in it afterwards.
  if (closed_) co_return fail(ErrorKind::closed, "the connection was closed while connecting");
  const auto opened = std::make_shared<ActiveSession>(loop, std::move(*line), request_handler, session_options());
  opened->on_connection_lost = options.on_connection_lost;
  active_ = opened;
  scope.spawn(run_session(shared_from_this(), opened));
  const bool over_http = opened->transport.streamable != nullptr;
  auto negotiated = co_await negotiate(opened->session, options, request_handler.capabilities(), era, over_http);
  if (!negotiated) {
    opened->session.close();
    co_return std::unexpected(with_child_diagnosis(std::move(negotiated.error()), opened->transport));
  }
  server = std::move(*negotiated);
  schemas.clear();
  cache.clear();
  if (auto sent = co_await restore_session_state(*opened); !sent) co_return std::unexpected(std::move(sent.error()));
  opened->ready = true;
  subscriptions.resubscribe(opened);
  co_return opened;
}

Task<Result<void>> ConnectionState::restore_session_state(ActiveSession& opened) {
  if (!log_level) co_return Result<void>();
  const auto& revision = *server.revision;
  if (revision.request_log_level) {
    protocol::ClientIdentity self{.revision = std::string(revision.name),
                                  .capabilities = request_handler.capabilities(),
                                  .info = options.client_info,
                                  .log_level = log_level};
    opened.session.adopt(revision, std::move(self));
    co_return Result<void>();
  }
  protocol::SetLevelParams params{.level = *log_level};
  auto call = make_call(std::string(protocol::SetLevel::method), json::to_payload(params), CallOptions());
  auto sent = co_await opened.session.peer().call(call);
  if (!sent) co_return std::unexpected(std::move(sent.error()));
  co_return Result<void>();
}

void ConnectionState::drain(const std::shared_ptr<ActiveSession>& active) {
  if (std::exchange(active->draining, true)) return;
  std::erase_if(draining_, [](const auto& old) { return old.expired(); });
  draining_.push_back(active);
}

std::shared_ptr<ActiveSession> ConnectionState::active_session() const {
  const bool is_open = active_ && active_->ready && !active_->draining && !active_->session.is_closed();
  return is_open ? active_ : nullptr;
}

void ConnectionState::disconnect() noexcept {
  if (const auto active = active_session()) active->session.close();
}

void ConnectionState::close() noexcept {
  closed_ = true;
  for (const auto& old : std::exchange(draining_, {})) {
    if (const auto active = old.lock()) active->session.close();
  }
  if (active_) active_->session.close();
}

}  // namespace fairlead::client
