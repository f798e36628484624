#include <fmt/format.h>
#include <utility>

#include "base/duration.hpp"
#include "session/session_state.hpp"

namespace fairlead::session {
namespace {

using protocol::protocol_error;
using protocol::ProtocolError;

/// Sends requests and notifications on the stream of one request of the peer.
class RequestChannel final : public PeerChannel {
 public:
  RequestChannel(SessionState& session, const Call& call) : session_(session), call_(call) {}

  Task<Result<Reply>> request(std::string method, json::Payload params) override {
    Call question{.method = std::move(method), .params = std::move(params)};
    question.context.revision = call_.context.revision;
    const auto limit = session_.options.nested_request_timeout;
    question.timeouts = {.idle = limit, .total = limit};
    auto answer = co_await session_.send_request(question, call_.context.id);
    if (!answer && answer.error().kind == ErrorKind::timeout) {
      answer.error().message = "the client did not answer " + question.method + " within " + write_duration(limit);
    }
    co_return answer;
  }

  Task<Result<void>> notify(std::string method, json::Payload params) override {
    return session_.send_queue.push(
        transport::Outgoing{jsonrpc::Notification{std::move(method), std::move(params)}, call_.context.id});
  }

  bool tell_now(std::string_view method, const json::Payload& params) override {
    if (!session_.send_queue.has_room()) return false;
    session_.send_queue.push_now(
        transport::Outgoing{jsonrpc::Notification{std::string(method), params}, call_.context.id});
    return true;
  }

  void release_stream() override { session_.transport.release_stream(*call_.context.id); }

 private:
  SessionState& session_;
  const Call& call_;
};

}  // namespace

// Also rejects a valid request that conflicts with the state of the session.
std::optional<jsonrpc::Message> SessionState::admit_in_session(jsonrpc::Request& request, Call& call) {
  if (auto refused = admit_request(negotiator, request, call)) return refused;
  const auto refuse = [&](const char* why) {
    return error_response(request.id, protocol_error(ProtocolError::invalid_request, why), negotiator);
  };
  if (in_flight.contains(request.id)) return refuse("this id is in use by a pending request");
  if (in_flight.size() >= options.max_in_flight) return refuse("too many concurrent requests; wait for responses");
  call.context.principal = options.principal;
  call.context.session_key = key;
  call.context.peer_closed = peer_closed.get_token();
  if (!call.context.request_headers) call.context.request_headers = options.request_headers;
  return std::nullopt;
}

void SessionState::serve(jsonrpc::Request&& request, std::shared_ptr<BatchResponse> batch,
                         std::optional<jsonrpc::Id> related_request) {
  const bool may_answer_now = service.answers_now();
  // A waiting call is stored here and not in its coroutine, because Asio recycles small frames only. A call that is
  // answered at once needs no heap allocation.
  auto entry = may_answer_now ? nullptr : std::make_shared<InFlightRequest>();
  std::optional<Call> at_hand;
  auto& call = entry ? entry->call : at_hand.emplace();
  if (auto refused = admit_in_session(request, call)) return deliver_now({std::move(*refused)}, batch);
  call.context.related_request = std::move(related_request);
  if (may_answer_now) {
    if (auto now = try_answer_now(service, call, error_log())) {
      return deliver_now({make_response(request.id, call, std::move(*now), service, negotiator.dialect()), request.id},
                         batch);
    }
  }
  if (!entry) entry = std::make_shared<InFlightRequest>(std::move(call));
  entry->batch = std::move(batch);
  in_flight.emplace(request.id, entry);
  entry->task = handlers->spawn(handle(entry));
  if (!entry->task) in_flight.erase(request.id);
}

std::optional<jsonrpc::Message> SessionState::answer_now(jsonrpc::Request& request) {
  if (handlers == nullptr || closed || finishing || !service.answers_now()) return std::nullopt;
  Call call;
  if (auto refused = admit_in_session(request, call)) return refused;
  if (auto now = try_answer_now(service, call, error_log())) {
    return make_response(request.id, call, std::move(*now), service, negotiator.dialect());
  }
  undo_admission(request, call);
  return std::nullopt;
}

Task<void> SessionState::handle(std::shared_ptr<InFlightRequest> entry) {
  auto& call = entry->call;
  const auto& batch = entry->batch;
  RequestChannel back(*this, call);
  call.context.peer = &back;
  const jsonrpc::Id id = *call.context.id;
  Result<Reply> reply;
  try {
    reply = co_await service.call(call);
  } catch (...) {
    reply = std::unexpected(error_from_exception(call, error_log()));
  }
  in_flight.erase(id);
  if (entry->cancelled) {
    transport.on_request_cancelled(id);
    // The response to a batch is sent when none is missing; a cancelled request must not delay the others.
    if (batch && --batch->missing == 0 && !batch->messages.empty()) send_queue.push_now(std::move(batch->messages));
    co_return;
  }
  // Queued even if the peer does not read; reading from it then pauses (`SendQueue::is_backlogged`).
  deliver_now({make_response(id, call, std::move(reply), service, negotiator.dialect()), id}, batch);
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

void SessionState::deliver_now(transport::Outgoing&& outgoing, const std::shared_ptr<BatchResponse>& batch) {
  if (!batch) return send_queue.push_now(std::move(outgoing));
  batch->messages.push_back(std::move(outgoing.message));
  if (--batch->missing == 0) send_queue.push_now(std::move(batch->messages));
}

}  // namespace fairlead::session
