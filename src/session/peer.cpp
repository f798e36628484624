#include <algorithm>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/meta_keys.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <utility>

#include "protocol/needed_capability.hpp"
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
  return ask(call, std::nullopt);
}

Task<Result<Reply>> SessionState::ask(Call& call, std::optional<jsonrpc::Id> related_to) {
  const auto& revision = speaks(call);
  if (options.side == Side::server && !revision.server_asks) {
    co_return fail(ErrorKind::invalid, "servers of this revision ask inside their results, not by requests");
  }
  if (auto refused = refuse_question(call)) co_return std::unexpected(std::move(*refused));
  PendingCalls::Ticket ticket(pending, call);
  json::Payload marked;
  if (call.on_progress) marked = with_progress_token(call.params, ticket.id());
  const auto& asked = call.on_progress ? marked : call.params;
  const bool lowers = options.side == Side::client;
  auto params = lowers ? revision.codec->lower_request(asked, speaks_for(call)) : asked;
  // Before it is sent: a quick peer has a question before we are back here.
  if (call.on_sent) call.on_sent(ticket.id());
  transport::Outgoing request{
      jsonrpc::Message(std::in_place_type<jsonrpc::Request>, ticket.id(), call.method, std::move(params)),
      std::move(related_to)};
  const auto how = pending.awaited() == 1 ? Outbox::Write::now : Outbox::Write::together;
  if (!outbox.push_if_room(request, how)) {
    const auto until = Deadline::in(std::min(call.patience.idle, call.patience.cap), loop.timers.clock());
    auto sent = co_await with_deadline(loop.timers, until, outbox.push(std::move(request)));
    if (!sent) co_return std::unexpected(std::move(sent.error()));
  }
  if (!ticket.is_settled()) co_await ticket.settled();
  auto raw = ticket.take();
  if (!raw) {
    const bool gave_up = raw.error().kind == ErrorKind::timeout || raw.error().kind == ErrorKind::cancelled;
    // An opening is never cancelled: there is no conversation yet to cancel it in.
    const bool opening = call.method == protocol::Initialize::method || call.method == protocol::Discover::method;
    if (gave_up && !opening) {
      outbox.push_now(transport::Outgoing{cancellation(ticket.id(), raw.error())});
    }
    co_return std::unexpected(std::move(raw.error()));
  }
  auto lifted = revision.codec->lift_result(std::move(*raw));
  if (!lifted) co_return std::unexpected(std::move(lifted.error()));
  if (lifted->server) signed_by = std::move(lifted->server);
  co_return Reply{.body = std::move(lifted->body),
                  .kind = lifted->kind,
                  .other_kind = std::move(lifted->other_kind),
                  .written_in = &revision};
}

// A client that did not declare what a question needs may never answer it.
std::optional<Error> SessionState::refuse_question(const Call& question) const {
  // Of a client that has shaken no hands nothing is known.
  if (options.side != Side::server || era.revision() == nullptr) return std::nullopt;
  const auto& declared = era.caller()->capabilities;
  auto lacks = protocol::undeclared_capability(question.method, question.params, declared);
  if (!lacks) return std::nullopt;
  return protocol::undeclared_error(question.method, *lacks);
}

// Whoever passes on the requests of others says for whom.
const std::shared_ptr<const protocol::Caller>& SessionState::speaks_for(const Call& call) const {
  return call.context.caller == nobody() ? era.caller() : call.context.caller;
}

Task<void> SessionState::notify(Notice& notice) {
  // A client that has shaken no hands is told nothing that it did not ask for.
  if (options.side == Side::server && !era.revision()) co_return;
  transport::Outgoing told{jsonrpc::Notification{notice.method, notice.params}};
  if (outbox.push_if_room(told, Outbox::Write::together)) co_return;
  if (!may_pass(notices_out, notice.method, "a notification for the peer,")) co_return;
  const NoticeLimit::Pass pass(notices_out, jsonrpc::size_of(told.message));
  co_await outbox.push(std::move(told));
}

const protocol::Revision& SessionState::speaks(const Call& call) const {
  if (call.context.revision) return *call.context.revision;
  return era.revision() ? *era.revision() : protocol::newest_handshake();
}

}  // namespace fairlead::session
