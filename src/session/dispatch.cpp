#include <fmt/format.h>
#include <utility>

#include "base/duration.hpp"
#include "session/session_state.hpp"

namespace fairlead::session {
namespace {

using protocol::protocol_error;
using protocol::ProtocolError;

}  // namespace

Task<Result<Reply>> InFlightRequest::request(std::string method, json::Payload params) {
  Call question{.method = std::move(method), .params = std::move(params)};
  question.context.revision = call.context.revision;
  const auto limit = session.options.nested_request_timeout;
  question.timeouts = {.idle = limit, .total = limit};
  auto answer = co_await session.send_request(question, call.context.id);
  if (!answer && answer.error().kind == ErrorKind::timeout) {
    answer.error().message = "the client did not answer " + question.method + " within " + write_duration(limit);
  }
  co_return answer;
}

Task<Result<void>> InFlightRequest::notify(std::string method, json::Payload params) {
  return session.send_queue.push({jsonrpc::Notification{std::move(method), std::move(params)}, call.context.id});
}

void InFlightRequest::release_stream() {
  session.transport.release_stream(*call.context.id);
}

// Also rejects a valid request that conflicts with the state of the session.
std::optional<jsonrpc::Message> SessionState::admit_in_session(jsonrpc::Request& request, Call& call) {
  if (auto refused = admit_request(negotiator, request, call)) return refused;
  const auto& id = *call.context.id;
  const auto refuse = [&](const char* why) {
    return error_response(id, protocol_error(ProtocolError::invalid_request, why), negotiator);
  };
  if (in_flight.contains(id)) return refuse("this id is in use by a pending request");
  if (in_flight.size() >= options.max_in_flight) return refuse("too many concurrent requests; wait for responses");
  call.context.principal = options.principal;
  call.context.identity = options.identity;
  call.context.access_token = options.access_token;
  call.context.session_key = key;
  call.context.peer_closed = peer_closed.get_token();
  if (!call.context.request_headers) call.context.request_headers = options.request_headers;
  return std::nullopt;
}

void SessionState::serve(jsonrpc::Request&& request, std::shared_ptr<BatchResponse> batch,
                         std::optional<jsonrpc::Id> related_request) {
  const auto entry = detail::make_pooled<InFlightRequest>(*this);
  auto& call = entry->call;
  if (auto refused = admit_in_session(request, call)) return deliver({std::move(*refused)}, batch);
  call.context.related_request = std::move(related_request);
  call.context.peer = entry.get();
  entry->batch = std::move(batch);
  auto replying = call_service(service, call, error_log());
  if (replying.is_ready()) return respond(*entry, replying.take());
  in_flight.emplace(*call.context.id, entry);
  auto on_end = [this, entry](TaskOutcome<Result<Reply>>&& outcome) { on_reply(*entry, std::move(outcome)); };
  entry->task = handlers->spawn(std::move(replying), std::move(on_end));
  if (!entry->task) in_flight.erase(*call.context.id);
}

void SessionState::on_reply(const InFlightRequest& entry, TaskOutcome<Result<Reply>>&& outcome) {
  if (!outcome) {
    outcome = Result<Reply>(std::unexpected(error_from_exception(outcome.error(), entry.call, error_log())));
  }
  in_flight.erase(*entry.call.context.id);
  if (!entry.cancelled) return respond(entry, std::move(*outcome));
  transport.on_request_cancelled(*entry.call.context.id);
  // The response to a batch is sent when none is missing; a cancelled request must not delay the others.
  if (entry.batch) end_batch_entry(*entry.batch);
}

// Queued even if the peer does not read; reading from it then pauses (`SendQueue::is_backlogged`).
void SessionState::respond(const InFlightRequest& entry, Result<Reply>&& reply) {
  const auto& id = *entry.call.context.id;
  deliver({make_response(id, entry.call, std::move(reply), service, negotiator.dialect()), id}, entry.batch);
}

Task<void> SessionState::notify_service(Notification notice) {
  const auto slot = notifications_in.enter(notice.method.size() + notice.params.text().size());
  co_await service.notify(notice);
}

bool SessionState::has_slot(NotificationLimit& limit, std::string_view method, std::string_view whose) const {
  if (limit.has_room()) return true;
  if (limit.drop()) {
    log(loop.log, LogLevel::warning, options.name, [&] {
      return fmt::format(
          "dropped {} {} and further notifications: {} notifications ({} bytes) are queued for a receiver that does "
          "not read",
          whose, method, limit.count(), limit.bytes());
    });
  }
  return false;
}

void SessionState::deliver(transport::Outgoing&& outgoing, const std::shared_ptr<BatchResponse>& batch) {
  if (!batch) return send_queue.push_unlimited(std::move(outgoing));
  batch->messages.push_back(std::move(outgoing.message));
  end_batch_entry(*batch);
}

void SessionState::end_batch_entry(BatchResponse& batch) {
  if (--batch.missing == 0 && !batch.messages.empty()) send_queue.push_unlimited(std::move(batch.messages));
}

}  // namespace fairlead::session
