#include "gateway/upstream/upstream.hpp"

#include <algorithm>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <fairlead/base/log.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/fault.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fmt/format.h>
#include <utility>

#include "base/duration.hpp"
#include "client/rounds.hpp"
#include "gateway/asked_for.hpp"
#include "gateway/upstream/answering.hpp"
#include "gateway/upstream/failure.hpp"
#include "server/capability.hpp"

namespace fairlead::gateway {
namespace asio = boost::asio;

namespace {

using session::Call;
using session::Reply;

client::ClientOptions answered_by(const UpstreamOptions& options, session::Service& answering,
                                  std::function<void(const Error&)> on_lost) {
  auto client = options.client;
  client.on_lost = std::move(on_lost);
  client.answering = &answering;
  client.capabilities = options.offers.value_or(everything_a_client_can());
  client.cache = false;
  return client;
}

json::Payload with_token(const json::Payload& progress, const jsonrpc::Id& token) {
  json::ObjectEdit whole(progress.text());
  return json::Payload::trusted(whole.set("progressToken", token.to_json()).text());
}

// The deadline helper speaks of results.
Task<Result<bool>> scope_joined(TaskScope& scope) {
  co_await scope.join();
  co_return true;
}

bool can_be_asked(const Call& call) {
  return call.context.revision && call.context.revision->server_asks;
}

// `task` is a word of the handshake revisions: in a stateless one it means nothing, and must not begin a task that its
// caller has no methods for.
json::Payload without_task_wish(const Call& call, const protocol::Revision& server) {
  const bool stateless = call.context.revision && call.context.revision->lifecycle == protocol::Lifecycle::stateless;
  const bool means_it = server.lifecycle == protocol::Lifecycle::handshake;
  if (!stateless || !means_it || !call.params.may_have("task")) return call.params;
  json::ObjectEdit params(call.params.text());
  return params.get("task").empty() ? call.params : json::Payload::trusted(params.erase("task").text());
}

// The extension is not declared to servers, so that none may begin one of its tasks.
bool is_unfetchable_task(const Reply& reply) {
  return reply.kind == protocol::ResultKind::other && reply.other_kind == "task";
}

bool has_failed(const Result<Reply>& reply) {
  return !reply || json::member_of(reply->body, "isError") == "true";
}

}  // namespace

Upstream::Upstream(Loop loop, client::Endpoint endpoint, UpstreamOptions options)
    : loop_(loop),
      options_(std::move(options)),
      answering_(std::make_unique<Answering>(*this)),
      scope_(loop.executor, loop.log, options_.name),
      connection_(client::connection_in(scope_, loop, std::move(endpoint),
                                        answered_by(options_, *answering_, [this](const Error& why) { lost(why); }))),
      calls_(options_.max_in_flight, options_.max_waiting),
      visits_(loop),
      audience_([this](std::vector<std::string> uris) { scope_.spawn(forget(std::move(uris))); }),
      restarts_(options_.restart, loop.timers.clock()),
      idle_(loop.timers,
            [this] {
              if (visits_.count() != 0 || starting_ || audience_.follows()) return;
              connection_.hang_up();
              reached_ = false;
            }),
      started_(loop.executor) {}

Upstream::~Upstream() = default;

Task<void> Upstream::stop() {
  stopped_ = true;
  idle_.disarm();
  connection_.close();
  started_.ring();
  const auto until = Deadline::in(options_.stop_timeout, loop_.timers.clock());
  const auto ended = co_await with_deadline(loop_.timers, until, scope_joined(scope_));
  if (!ended && ended.error().kind == ErrorKind::timeout) {
    log(loop_.log, LogLevel::warning, options_.name, [&] {
      return "did not end within " + write_duration(options_.stop_timeout) + " of being told to, and was cut off";
    });
  }
  // Whoever was cancelled has cancelled the scope, which has to be empty all the same.
  co_await scope_.join();
  // Who still holds this upstream, a fetch perhaps, starts nothing in it any more.
  scope_.cancel();
}

Task<Result<Reply>> Upstream::call(Call& call) {
  if (call.method == protocol::SetLevel::method) return set_level(call);
  if (call.method == protocol::Subscribe::method) return follow(call);
  if (call.method == protocol::Unsubscribe::method) return unfollow(call);
  if (call.method.starts_with("tasks/")) return call_task(call);
  return pass_on(call);
}

/// Looks at its end whether a session has anything left here.
class Upstream::Leaving {
 public:
  Leaving(Upstream& upstream, std::uint64_t conversation) : upstream_(upstream), conversation_(conversation) {}
  Leaving(const Leaving&) = delete;
  Leaving& operator=(const Leaving&) = delete;
  ~Leaving() { upstream_.note_gone(conversation_); }

 private:
  Upstream& upstream_;
  std::uint64_t conversation_;
};

void Upstream::note_used(const CallerId& caller) {
  // Requests without a session are known only while they are under way.
  const bool lasts = is_client_key(caller.session) && caller.session != stateless_key;
  if (!caller.is_anonymous() || lasts) callers_.add(caller);
}

void Upstream::note_gone(std::uint64_t conversation) {
  if (audience_.has(conversation) || visits_.has(conversation)) return;
  callers_.remove_session(conversation,
                          std::max(audience_.newest_besides(conversation), visits_.newest_besides(conversation)));
}

Task<Result<Reply>> Upstream::pass_on(Call& call) {
  if (stopped_) co_return std::unexpected(stopped(options_));
  const auto caller = caller_of(call.context);
  if (calls_.queue_is_full()) co_return std::unexpected(too_busy(options_.name, calls_.waiting()));
  if (const auto own = calls_.queued_too_much(caller)) co_return std::unexpected(share_used_up(options_.name, own));
  // What need not be waited for costs no coroutine, here and below.
  auto turn = calls_.enter_now(caller);
  if (!turn) turn = co_await calls_.enter(caller);
  if (!turn) co_return fail(ErrorKind::cancelled, "cancelled by the caller");
  idle_.disarm();
  if (starting_ || !connection_.is_open()) {
    auto reached = co_await reach();
    if (!reached) co_return std::unexpected(std::move(reached.error()));
  }
  if (auto known = knows_its_state(call); !known) co_return std::unexpected(std::move(known.error()));
  if (call.context.caller->log_level) {
    auto told = co_await want_level(*call.context.caller->log_level);
    if (!told) co_return std::unexpected(told_by(options_, std::move(told.error()), connection_.server(), call));
  }
  if (unsettled_for(call) > Duration{}) co_await settled(call);
  const Leaving leaving(*this, call.context.conversation);
  Visit visit(visits_, call);
  if (!visit.lists()) note_used(visit.caller());
  Call out{.method = call.method,
           .params = without_task_wish(call, *connection_.server().revision),
           .patience = options_.patience.within(call.patience)};
  out.context.caller = caller_for(call);
  out.on_sent = [this, &visit](const jsonrpc::Id& id) {
    visit.set_id(id);
    note_sent(visit.call(), id);
  };
  out.on_luggage = call.on_luggage;
  watch_progress(out, visit);
  out.waited_for_us = [&visit] { return visit.waited_for_caller(); };
  const auto until = Deadline::in(out.patience.cap, loop_.timers.clock());
  if (call.context.back) out.on_paused = [&call] { call.context.back->let_go(); };
  Result<Reply> reply;
  std::exception_ptr failure;
  try {
    reply = co_await connection_.call(out);
    if (reply && reply->kind == protocol::ResultKind::input_required && can_be_asked(call)) {
      reply = co_await answer_questions(visit, out, std::move(*reply), until);
    }
  } catch (...) {
    failure = std::current_exception();
  }
  // What the server still wants to know about this call nobody will tell; a caller who gave up waits for that too.
  if (visit.was_asked()) {
    const bool throws = co_await asio::this_coro::throw_if_cancelled();
    co_await asio::this_coro::throw_if_cancelled(false);
    co_await visit.end();
    co_await asio::this_coro::throw_if_cancelled(throws);
  }
  rest();
  if (failure) std::rethrow_exception(failure);
  if (!reply) reply.error() = without(options_.secrets, std::move(reply.error()));
  note_answer(visit, reply);
  const bool has_a_code = call.context.revision && call.context.revision->own_error_codes;
  if (visit.lack() && has_a_code && has_failed(reply)) co_return std::unexpected(incapable(*visit.lack()));
  if (!reply && stopped_ && reply.error().kind == ErrorKind::closed) {
    co_return std::unexpected(cut_off(options_, call));
  }
  if (!reply && reply.error().kind == ErrorKind::timeout && until.passed(loop_.timers.clock())) {
    co_return std::unexpected(over_time(options_, call));
  }
  if (!reply) {
    if (auto asked = asked_to_visit(reply.error(), call)) co_return std::move(*asked);
    co_return std::unexpected(told_by(options_, std::move(reply.error()), connection_.server(), call));
  }
  if (is_unfetchable_task(*reply)) co_return std::unexpected(began_a_task(options_.name, call));
  if (const auto task = begun_task(call, *reply)) {
    options_.tasks->put(*task, caller, {.caller = caller, .conversation = call.context.conversation});
  }
  co_return reply;
}

// Ids differ from hop to hop; here is which belongs to which.
void Upstream::note_sent(const Call& call, const jsonrpc::Id& id) const {
  log(loop_.log, LogLevel::debug, options_.name, [&] {
    const auto theirs = call.context.id ? call.context.id->to_json() : "none";
    return fmt::format("{} is id={} there, of conversation {} and its id={}", asked_for(call), id.to_json(),
                       call.context.conversation, theirs);
  });
}

void Upstream::note_answer(const Visit& visit, const Result<Reply>& reply) const {
  log(loop_.log, LogLevel::debug, options_.name, [&] {
    const auto id = visit.id() ? visit.id()->to_json() : "none";
    return reply ? fmt::format("id={} was answered with {}", id, reply->body.text())
                 : fmt::format("id={} failed: {}", id, reply.error().message);
  });
}

// A caller who comes back to a server that keeps nothing for him has a state that nobody here has given him.
Result<void> Upstream::knows_its_state(const Call& call) const {
  const bool comes_back = call.context.revision && !call.context.revision->server_asks &&
                          !json::member_of(call.params, "requestState").empty();
  if (!comes_back || !connection_.server().revision->server_asks) return {};
  return std::unexpected(protocol::fault_error(protocol::Fault::invalid_params, "requestState is not ours"));
}

// Told at once, or not at all: no server waits for a client that does not read.
void Upstream::watch_progress(Call& out, const Visit& visit) const {
  const auto& context = visit.call().context;
  if (!context.progress_token || context.back == nullptr) return;
  out.on_progress = [&visit](const session::Progress& progress) {
    visit.tell(protocol::Progress::method, with_token(progress.raw, *visit.call().context.progress_token));
  };
}

void Upstream::rest() {
  // This call is still counted.
  if (options_.idle_stop > Duration{} && visits_.count() <= 1) {
    idle_.arm(Deadline::in(options_.idle_stop, loop_.timers.clock()));
  }
}

Task<void> Upstream::notify(session::Notice& notice) {
  // What concerns this hop alone stays here.
  if (notice.method == protocol::Initialized::method || !connection_.is_open()) co_return;
  const auto& revision = *connection_.server().revision;
  const auto known_to = [&](const protocol::Revision& each) {
    return each.client_notifications.contains(notice.method);
  };
  const bool is_ours = std::ranges::any_of(protocol::revisions(), known_to);
  if (is_ours && !known_to(revision)) co_return;
  if (audience_.has(notice.conversation)) note_used(caller_id(notice.principal, notice.conversation));
  co_await connection_.notify(notice);
}

std::unique_ptr<session::Attendance> Upstream::attend(session::Conversation conversation) {
  /// Its place in the audience; when that has gone, the session has.
  struct AudienceMember final : session::Attendance {
    AudienceMember(Upstream& upstream, session::Conversation of)
        : leaving(upstream, of.key), place(upstream.audience_.admit(std::move(of))) {}
    Leaving leaving;
    std::unique_ptr<Attendance> place;
  };
  return std::make_unique<AudienceMember>(*this, std::move(conversation));
}

}  // namespace fairlead::gateway
