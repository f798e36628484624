#include <algorithm>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/meta_keys.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <utility>

#include "base/next_turn.hpp"
#include "protocol/required_capability.hpp"
#include "session/session_state.hpp"

namespace fairlead::session {
namespace {

json::Payload with_progress_token(const json::Payload& params, std::int64_t token) {
  json::ObjectEdit whole(params.text());
  json::ObjectEdit meta(whole.get("_meta"));
  meta.set(protocol::meta::progress_token, std::to_string(token));
  return json::Payload::trusted(whole.set("_meta", meta.text()).text());
}

jsonrpc::Notification cancellation(std::int64_t id, const Error& why) {
  const protocol::CancelledParams params{.requestId = jsonrpc::Id(id), .reason = why.message};
  return {std::string(protocol::Cancelled::method), json::to_payload(params)};
}

}  // namespace

Task<Result<Reply>> SessionState::call(Call& call) {
  return send_request(call, std::nullopt);
}

Task<Result<Reply>> SessionState::send_request(Call& call, std::optional<jsonrpc::Id> related_request) {
  const auto& revision = revision_for(call);
  if (options.side == Side::server && !revision.server_initiated_requests) {
    co_return fail(ErrorKind::invalid, "in this revision servers ask for input in their results and send no requests");
  }
  if (auto refused = check_capability(call)) co_return std::unexpected(std::move(*refused));
  PendingCalls::PendingCall pending_call(pending, call);
  json::Payload marked;
  if (call.on_progress) marked = with_progress_token(call.params, pending_call.id());
  const auto& sent_params = call.on_progress ? marked : call.params;
  const bool lowers = options.side == Side::client;
  auto params = lowers ? revision.codec->encode_request(sent_params, identity_for(call)) : sent_params;
  // Before sending: the peer may send a request of its own before this coroutine resumes.
  if (call.on_sent) call.on_sent(pending_call.id());
  transport::Outgoing request{
      jsonrpc::Message(std::in_place_type<jsonrpc::Request>, pending_call.id(), call.method, std::move(params)),
      std::move(related_request)};
  const auto flush = pending.awaited() == 1 ? Flush::at_once : Flush::turn_end;
  auto sending = send_queue.push(std::move(request), flush);
  if (!sending.is_ready()) {
    const auto until = Deadline::in(std::min(call.timeouts.idle, call.timeouts.total), loop.timers.clock());
    sending = with_deadline(loop.timers, until, std::move(sending));
  }
  auto sent = co_await std::move(sending);
  if (!sent) co_return std::unexpected(std::move(sent.error()));
  auto response = co_await pending_call.response();
  // Not inside fail_all().
  if (response && pending.failed()) co_await next_turn;
  auto raw = response ? std::move(*response) : fail(ErrorKind::cancelled, "cancelled by the caller");
  if (!raw) {
    cancel_if_given_up(call, pending_call.id(), raw.error());
    co_return std::unexpected(std::move(raw.error()));
  }
  auto decoded = revision.codec->decode_result(std::move(*raw));
  if (!decoded) co_return std::unexpected(std::move(decoded.error()));
  if (decoded->server) last_server_info = std::move(decoded->server);
  co_return Reply{.body = std::move(decoded->body),
                  .kind = decoded->kind,
                  .other_kind = std::move(decoded->other_kind),
                  .written_in = &revision};
}

void SessionState::cancel_if_given_up(const Call& call, std::int64_t id, const Error& why) {
  const bool gave_up = why.kind == ErrorKind::timeout || why.kind == ErrorKind::cancelled;
  // The specification forbids clients to cancel `initialize`; `server/discover` is sent before a revision is known.
  const bool opening = call.method == protocol::Initialize::method || call.method == protocol::Discover::method;
  if (gave_up && !opening) send_queue.push_unlimited(transport::Outgoing{cancellation(id, why)});
}

// A client may never respond to a request whose capability it did not declare.
std::optional<Error> SessionState::check_capability(const Call& question) const {
  // Before the handshake the capabilities are unknown.
  if (options.side != Side::server || negotiator.revision() == nullptr) return std::nullopt;
  const auto& declared = negotiator.caller()->capabilities;
  auto lacks = protocol::undeclared_capability(question.method, question.params, declared);
  if (!lacks) return std::nullopt;
  return protocol::undeclared_error(question.method, *lacks);
}

// A gateway sends requests on behalf of its own clients and sets their identity.
const std::shared_ptr<const protocol::ClientIdentity>& SessionState::identity_for(const Call& call) const {
  return call.context.caller == anonymous_caller() ? negotiator.caller() : call.context.caller;
}

Task<void> SessionState::notify(Notification& notice) {
  // Before the handshake a client receives no unsolicited notifications.
  if (options.side == Side::server && !negotiator.revision()) return {};
  auto sending = send_queue.push({jsonrpc::Notification{notice.method, notice.params}});
  if (sending.is_ready()) return {};
  if (!has_slot(notifications_out, notice.method, "an outgoing")) return {};
  return notify_when_room(notice.method.size() + notice.params.text().size(), std::move(sending));
}

Task<void> SessionState::notify_when_room(std::size_t size, Task<Result<void>> sending) {
  const auto slot = notifications_out.enter(size);
  co_await std::move(sending);
}

const protocol::Revision& SessionState::revision_for(const Call& call) const {
  if (call.context.revision) return *call.context.revision;
  return negotiator.revision() ? *negotiator.revision() : protocol::newest_handshake();
}

}  // namespace fairlead::session
