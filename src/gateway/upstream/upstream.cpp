#include "gateway/upstream/upstream.hpp"

#include <algorithm>
#include <fairlead/base/log.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <fairlead/protocol/model/methods.hpp>

#include "base/duration.hpp"
#include "gateway/upstream/server_request_handler.hpp"
#include "gateway/upstream/upstream_errors.hpp"

namespace fairlead::gateway {
namespace {

using session::Call;
using session::Reply;

client::ClientOptions client_options_for(const UpstreamOptions& options, session::Service& incoming,
                                         std::function<void(const Error&)> on_connection_lost) {
  auto client = options.client;
  client.on_connection_lost = std::move(on_connection_lost);
  client.incoming_service = &incoming;
  client.capabilities = options.capabilities.value_or(all_client_capabilities());
  client.cache = false;
  return client;
}

// with_deadline() needs a result.
Task<Result<bool>> scope_joined(TaskScope& scope) {
  co_await scope.join();
  co_return true;
}

}  // namespace

Upstream::Upstream(EventLoop loop, client::Endpoint endpoint, UpstreamOptions options)
    : loop_(loop),
      options_(std::move(options)),
      server_request_handler_(std::make_unique<ServerRequestHandler>(*this)),
      scope_(loop.executor, loop.log, options_.name),
      connection_(client::make_connection(
          scope_, loop, std::move(endpoint),
          client_options_for(options_, *server_request_handler_, [this](const Error& why) { on_disconnect(why); }))),
      slots_(options_.max_in_flight, options_.max_waiting),
      active_calls_(loop),
      notifier_([this](std::vector<std::string> uris) { scope_.spawn(unsubscribe_unused(std::move(uris))); }),
      backoff_(options_.restart, loop.timers.clock()),
      idle_(loop.timers,
            [this] {
              if (active_calls_.count() != 0 || starting_ || notifier_.has_subscriptions()) return;
              connection_.disconnect();
              reached_ = false;
            }),
      started_(loop.executor) {}

Upstream::~Upstream() = default;

Task<void> Upstream::stop() {
  stopped_ = true;
  idle_.disarm();
  connection_.close();
  started_.notify();
  const auto until = Deadline::in(options_.stop_timeout, loop_.timers.clock());
  const auto ended = co_await with_deadline(loop_.timers, until, scope_joined(scope_));
  if (!ended && ended.error().kind == ErrorKind::timeout) {
    log(loop_.log, LogLevel::warning, options_.name, [&] {
      return "did not stop within " + write_duration(options_.stop_timeout) + "; its remaining tasks were cancelled";
    });
  }
  // The timeout has cancelled the scope; wait until it is empty.
  co_await scope_.join();
  // A list fetch may still hold this upstream: it must not start tasks any more.
  scope_.cancel();
}

Task<Result<Reply>> Upstream::call(Call& call) {
  if (call.method == protocol::SetLevel::method) return set_level(call);
  if (call.method == protocol::Subscribe::method) return subscribe(call);
  if (call.method == protocol::Unsubscribe::method) return unsubscribe(call);
  if (call.method.starts_with("tasks/")) return call_task(call);
  return forward(call);
}

void Upstream::record_caller(const CallerId& caller) {
  // Requests without a session are tracked only while they are in flight.
  const bool lasts = is_client_key(caller.session) && caller.session != stateless_key;
  if (!caller.is_anonymous() || lasts) caller_history_.add(caller);
}

void Upstream::forget_ended_session(std::uint64_t session_key) {
  if (notifier_.has(session_key) || active_calls_.has(session_key)) return;
  caller_history_.remove_session(session_key, std::max(notifier_.newest_session_except(session_key),
                                                       active_calls_.newest_session_except(session_key)));
}

void Upstream::arm_idle_timer() {
  // The current call is still counted.
  if (options_.idle_timeout > Duration{} && active_calls_.count() <= 1) {
    idle_.arm(Deadline::in(options_.idle_timeout, loop_.timers.clock()));
  }
}

Task<void> Upstream::notify(session::Notification& notice) {
  // `initialized` concerns one connection only.
  if (notice.method == protocol::Initialized::method || !connection_.is_open()) return {};
  const auto& revision = *connection_.server().revision;
  const auto known_to = [&](const protocol::Revision& each) {
    return each.client_notifications.contains(notice.method);
  };
  const bool is_ours = std::ranges::any_of(protocol::revisions(), known_to);
  if (is_ours && !known_to(revision)) return {};
  if (notifier_.has(notice.session_key)) record_caller(caller_id(notice.principal, notice.session_key));
  return connection_.notify(notice);
}

std::unique_ptr<session::SessionHook> Upstream::on_session_open(session::SessionRef session) {
  /// Registers the session at the notifier.
  struct UpstreamSession final : session::SessionHook {
    UpstreamSession(Upstream& upstream, session::SessionRef session)
        : session_use(upstream, session.key), registration(upstream.notifier_.add_session(std::move(session))) {}
    SessionUse session_use;
    std::unique_ptr<SessionHook> registration;
  };
  return std::make_unique<UpstreamSession>(*this, std::move(session));
}

}  // namespace fairlead::gateway
