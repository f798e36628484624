#include <exception>
#include <fairlead/base/log.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <fmt/format.h>
#include <utility>

#include "gateway/model/call_label.hpp"
#include "gateway/model/task_extension.hpp"
#include "gateway/upstream/error_translation.hpp"
#include "gateway/upstream/server_token_source.hpp"
#include "gateway/upstream/upstream.hpp"
#include "gateway/upstream/upstream_errors.hpp"

/// Forwards one call to the server.
namespace fairlead::gateway {
namespace asio = boost::asio;

namespace {

using session::Call;
using session::Reply;

json::Payload with_token(const json::Payload& progress, const jsonrpc::Id& token) {
  json::ObjectEdit whole(progress.text());
  return json::Payload::trusted(whole.set("progressToken", token.to_json()).text());
}

bool accepts_server_requests(const Call& call) {
  return call.context.revision && call.context.revision->server_initiated_requests;
}

// The member `task` belongs to the handshake revisions. A stateless client has no methods to fetch a task, so the
// gateway removes it.
json::Payload without_task_request(const Call& call, const protocol::Revision& server) {
  const bool stateless = call.context.revision && call.context.revision->lifecycle == protocol::Lifecycle::stateless;
  const bool means_it = server.lifecycle == protocol::Lifecycle::handshake;
  if (!stateless || !means_it || !call.params.may_contain("task")) return call.params;
  json::ObjectEdit params(call.params.text());
  return params.get("task").empty() ? call.params : json::Payload::trusted(params.erase("task").text());
}

bool has_failed(const Result<Reply>& reply) {
  return !reply || json::member_of(reply->body, "isError") == "true";
}

}  // namespace

Result<void> Upstream::check_admission(const CallerId& caller) const {
  if (stopped_) return std::unexpected(stopped(options_));
  if (slots_.queue_is_full()) return std::unexpected(queue_full(options_.name, slots_.waiting()));
  if (const auto own = slots_.calls_over_queue_share(caller)) {
    return std::unexpected(caller_queue_full(options_.name, own));
  }
  return {};
}

Call Upstream::outgoing_call(ActiveCall& active) {
  const auto& call = active.call();
  Call out{.method = call.method,
           .params = without_task_request(call, *connection_.server().revision),
           .timeouts = options_.timeouts.within(call.timeouts)};
  out.context.caller = identity_for(call);
  out.on_sent = [this, &active](const jsonrpc::Id& id) {
    active.set_id(id);
    log_sent(active.call(), id);
  };
  out.on_response_headers = call.on_response_headers;
  forward_progress(out, active);
  out.last_peer_wait = [&active] { return active.last_client_wait(); };
  if (call.context.peer) out.on_response_deferred = [&call] { call.context.peer->release_stream(); };
  return out;
}

Task<Result<void>> Upstream::prepare(const Call& call) {
  const bool is_ready = !starting_ && connection_.is_open() && !call.context.caller->log_level;
  return is_ready ? check_request_state(call) : connect_for(call);
}

Task<Result<void>> Upstream::connect_for(const Call& call) {
  if (auto reached = co_await ensure_connected(); !reached) co_return std::unexpected(std::move(reached.error()));
  auto known = check_request_state(call);
  if (!known || !call.context.caller->log_level) co_return known;
  auto outcome = co_await raise_log_level(*call.context.caller->log_level);
  if (!outcome) co_return std::unexpected(map_error(options_, std::move(outcome.error()), connection_.server(), call));
  co_return Result<void>();
}

Task<Result<Reply>> Upstream::forward(Call& call) {
  const auto caller = caller_of(call.context);
  if (auto admitted = check_admission(caller); !admitted) co_return std::unexpected(std::move(admitted.error()));
  const auto slot = co_await slots_.acquire(caller);
  if (!slot) co_return fail(ErrorKind::cancelled, "cancelled by the caller");
  idle_.disarm();
  auto prepared = co_await prepare(call);
  if (!prepared) co_return sign_in_reply(std::move(prepared.error()), call);
  if (attribution_delay(call) > Duration{}) co_await wait_until_attributable(call);
  const SessionUse session_use(*this, call.context.session_key);
  ActiveCall active(active_calls_, call);
  if (!active.is_list_request()) record_caller(active.caller());
  auto out = outgoing_call(active);
  const auto until = Deadline::in(out.timeouts.total, loop_.timers.clock());
  Result<Reply> reply;
  std::exception_ptr failure;
  try {
    reply = co_await connection_.call(out);
    if (reply && reply->kind == protocol::ResultKind::input_required && accepts_server_requests(call)) {
      reply = co_await fulfil_input_requests(active, out, std::move(*reply), until);
    }
  } catch (...) {
    failure = std::current_exception();
  }
  // Open requests of the server have no client any more. A cancelled caller waits for their end too.
  if (active.has_server_requests()) {
    const auto shield = co_await this_task::shield;
    co_await active.cancel_requests();
  }
  arm_idle_timer();
  if (failure) std::rethrow_exception(failure);
  finish_call(active, reply, until);
  co_return reply;
}

void Upstream::finish_call(const ActiveCall& active, Result<Reply>& reply, Deadline until) {
  const auto& call = active.call();
  if (!reply) reply.error() = redacted(options_.secrets, std::move(reply.error()));
  log_answered(active, reply);
  const bool has_own_codes = call.context.revision && call.context.revision->reserved_error_codes;
  if (active.missing_capability() && has_own_codes && has_failed(reply)) {
    reply = std::unexpected(missing_capability_error(*active.missing_capability()));
  } else if (!reply && stopped_ && reply.error().kind == ErrorKind::closed) {
    reply = std::unexpected(stopped_during_call(options_, call));
  } else if (!reply && reply.error().kind == ErrorKind::timeout && until.passed(loop_.timers.clock())) {
    reply = std::unexpected(total_timeout(options_, call));
  } else if (!reply && is_credential_error(reply.error())) {
    reply = sign_in_reply(sign_in_error(options_.name, reply.error()), call);
  } else if (!reply) {
    auto elicitation = url_elicitation_reply(reply.error(), call);
    if (elicitation) {
      reply = std::move(*elicitation);
    } else {
      reply = std::unexpected(map_error(options_, std::move(reply.error()), connection_.server(), call));
    }
  } else if (is_started_task(*reply) && !accepts_tasks(call.context)) {
    reply = std::unexpected(unsupported_task(options_.name, call));
  } else if (const auto task = started_task(call, *reply)) {
    const auto caller = caller_of(call.context);
    options_.tasks->replace(*task, caller, {.caller = caller, .session_key = call.context.session_key});
  }
}

// Logs the mapping from the client's request id to the id at the server.
void Upstream::log_sent(const Call& call, const jsonrpc::Id& id) const {
  log(loop_.log, LogLevel::debug, options_.name, [&] {
    const auto client_id = call.context.id ? call.context.id->to_json() : "none";
    return fmt::format("{} sent with id={}; session {}, client id={}", call_label(call), id.to_json(),
                       call.context.session_key, client_id);
  });
}

void Upstream::log_answered(const ActiveCall& active, const Result<Reply>& reply) const {
  log(loop_.log, LogLevel::debug, options_.name, [&] {
    const auto id = active.id() ? active.id()->to_json() : "none";
    return reply ? fmt::format("id={} reply: {}", id, reply->body.text())
                 : fmt::format("id={} failed: {}", id, reply.error().message);
  });
}

// A server of the handshake era issues no request state, so the state in this call did not come from here.
Result<void> Upstream::check_request_state(const Call& call) const {
  const bool is_continuation = call.context.revision && !call.context.revision->server_initiated_requests &&
                               !json::member_of(call.params, "requestState").empty();
  if (!is_continuation || !connection_.server().revision->server_initiated_requests) return {};
  return std::unexpected(protocol::protocol_error(protocol::ProtocolError::invalid_params, "requestState is unknown"));
}

// Dropped if the client's queue is full: a server never waits for a client.
void Upstream::forward_progress(Call& out, const ActiveCall& active) const {
  const auto& context = active.call().context;
  if (!context.progress_token || context.peer == nullptr) return;
  out.on_progress = [&active](const session::Progress& progress) {
    active.notify(protocol::Progress::method, with_token(progress.raw, *active.call().context.progress_token));
  };
}

}  // namespace fairlead::gateway
