#include <boost/asio/post.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/model/methods.hpp>

#include "base/duration.hpp"
#include "session/session_state.hpp"

namespace fairlead::session {
namespace {

// Messages of one peer that are handled in one turn of the event loop. Small: a turn delays all other peers, and each
// message costs microseconds, whatever its size.
constexpr std::size_t messages_per_turn = 16;

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

bool is_initialize(const jsonrpc::ReadResult& entry) {
  const auto* request = entry ? std::get_if<jsonrpc::Request>(&*entry) : nullptr;
  return request && request->method == protocol::Initialize::method;
}

jsonrpc::ErrorResponse invalid(const std::string& why) {
  return {
      .id = {},
      .error = {.code = jsonrpc::code::invalid_request, .message = "Invalid Request", .data = json::to_payload(why)}};
}

Error refused(jsonrpc::ErrorObject error) {
  return {.kind = ErrorKind::refused,
          .message = std::move(error.message),
          .code = error.code,
          .data = error.data ? std::string(error.data->text()) : std::string()};
}

// A result, for the deadline helper: a success counts even if it comes after the deadline.
Task<Result<bool>> backlog_cleared(SendQueue& send_queue) {
  co_await send_queue.backlog_cleared();
  if (send_queue.is_backlogged()) co_return fail(ErrorKind::cancelled, "the peer has not read enough");
  co_return true;
}

}  // namespace

Task<Result<void>> SessionState::read_all() {
  for (std::size_t handled = 1;; ++handled) {
    auto received = co_await transport.receive();
    if (!received) {
      on_peer_closed(received.error());
      pending.fail_all(received.error());
      // A closed connection is the normal end of a session.
      if (received.error().kind == ErrorKind::closed || finishing) co_return Result<void>();
      co_return std::unexpected(std::move(received.error()));
    }
    on_message(std::move(*received));
    // Backpressure: stop reading from a peer that does not read its responses.
    if (send_queue.is_backlogged()) co_await wait_for_peer_to_read();
    if (finishing) co_return Result<void>();
    // Yield, so that a fast sender does not delay other peers, and receives its first responses before it has sent all.
    if (handled % messages_per_turn == 0) co_await boost::asio::post(loop.executor, use_task);
  }
}

Task<void> SessionState::wait_for_peer_to_read() {
  while (send_queue.is_backlogged() && !closed) {
    const auto written = send_queue.written();
    const auto until = Deadline::in(options.write_timeout, loop.timers.clock());
    const auto waited = co_await with_deadline(loop.timers, until, backlog_cleared(send_queue));
    if (waited || waited.error().kind != ErrorKind::timeout) co_return;
    if (send_queue.written() != written) continue;
    const Error why{.kind = ErrorKind::closed,
                    .message = "the peer has left its responses unread for " + write_duration(options.write_timeout)};
    log(loop.log, LogLevel::warning, options.name, [&] { return why.message + ": the session is closed"; });
    on_send_failed(why);
  }
}

void SessionState::on_message(transport::Received&& received) {
  std::visit(
      Overloaded{[&](jsonrpc::Message& message) { on_message(std::move(message), nullptr); },
                 [&](jsonrpc::Batch& batch) { on_batch(std::move(batch)); },
                 [&](transport::MessageForRequest& related) { on_message(std::move(related)); },
                 [&](transport::ResponseDeferred& paused) { pending.on_response_deferred(paused.request_id); },
                 [&](transport::RequestFailed& it) { pending.answer(it.id, std::unexpected(std::move(it.error))); },
                 [&](transport::InvalidMessage& bad) { on_message(std::move(bad)); }},
      received);
}

void SessionState::on_message(transport::InvalidMessage&& bad) {
  report_invalid(bad);
  if (fail_pending_call(bad.reply)) return;
  // A client does not report errors for stray output of a server.
  if (options.side == Side::server) deliver({std::move(bad.reply)}, nullptr);
}

// True if it was meant as the response to a pending call, which then fails.
bool SessionState::fail_pending_call(const jsonrpc::ReadError& bad) {
  if (!bad.answered_id) return false;
  return pending.answer(*bad.answered_id, std::unexpected(transport::invalid_response_error(bad)));
}

// Throttled, so that a broken peer cannot flood the log.
void SessionState::report_invalid(const transport::InvalidMessage& bad) {
  if (bad.logged) return;
  const auto others = invalid_messages.admit();
  if (!others) return;
  log(loop.log, LogLevel::warning, options.name, [&] {
    const auto& why = bad.reply.error;
    const auto detail = why.data ? " (" + std::string(why.data->text()) + ")" : "";
    const std::string who = options.side == Side::client ? "the server" : "the client";
    const auto what = bad.text.empty() ? " sent something" : " sent \"" + bad.text + "\"";
    return who + what + " that is not an MCP message: " + why.message + detail + *others;
  });
}

void SessionState::on_peer_closed(const Error& why) {
  if (closed || finishing || std::exchange(peer_closed_first, true)) return;
  if (options.on_connection_lost) options.on_connection_lost(why);
}

void SessionState::on_message(jsonrpc::Message&& message, const std::shared_ptr<BatchResponse>& batch) {
  std::visit(Overloaded{[&](jsonrpc::Request& request) { serve(std::move(request), batch); },
                        [&](jsonrpc::Notification& notice) { on_notification(std::move(notice)); },
                        [&](jsonrpc::Response& response) {
                          pending.answer(response.id, std::move(response.result), response.headers.get());
                        },
                        [&](jsonrpc::ErrorResponse& response) {
                          if (!response.id) return;
                          auto error = refused(std::move(response.error));
                          pending.answer(*response.id, std::unexpected(std::move(error)), response.headers.get());
                        }},
             message);
}

void SessionState::on_message(transport::MessageForRequest&& related) {
  if (auto* request = std::get_if<jsonrpc::Request>(&related.message)) {
    serve(std::move(*request), nullptr, std::move(related.request_id));
  } else if (auto* notice = std::get_if<jsonrpc::Notification>(&related.message)) {
    on_notification(std::move(*notice), std::move(related.request_id));
  } else {
    on_message(std::move(related.message), nullptr);
  }
}

void SessionState::on_batch(jsonrpc::Batch batch) {
  if (!negotiator.accepts_batches()) {
    return deliver({invalid("batches are not part of this revision: send one message at a time")}, nullptr);
  }
  const auto reply = std::make_shared<BatchResponse>();
  reply->missing = 1;  // Keeps the batch open until every entry was examined.
  for (auto& entry : batch.entries) {
    if (is_initialize(entry)) {
      ++reply->missing;
      auto refusal = invalid("initialize must not be part of a batch");
      refusal.id = std::get<jsonrpc::Request>(*entry).id;
      deliver({std::move(refusal)}, reply);
    } else if (entry) {
      if (std::holds_alternative<jsonrpc::Request>(*entry)) ++reply->missing;
      on_message(std::move(*entry), reply);
    } else if (!fail_pending_call(entry.error())) {
      ++reply->missing;
      deliver({std::move(entry.error())}, reply);
    }
  }
  end_batch_entry(*reply);
}

void SessionState::on_notification(jsonrpc::Notification notification, std::optional<jsonrpc::Id> related_request) {
  negotiator.resolve_alias(notification.method);
  if (notification.method == protocol::Cancelled::method) return cancel(notification.params);
  if (notification.method == protocol::Progress::method) {
    auto params = json::decode<protocol::ProgressParams>(notification.params);
    if (params) pending.progress({std::move(*params), std::move(notification.params)});
    return;
  }
  if (!has_slot(notifications_in, notification.method, "a received")) return;
  handlers->spawn(notify_service({.method = std::move(notification.method),
                                  .params = std::move(notification.params),
                                  .revision = negotiator.revision(),
                                  .related_request = std::move(related_request),
                                  .session_key = key,
                                  .principal = options.principal}));
}

void SessionState::cancel(const json::Payload& params) {
  const auto cancelled = json::decode<protocol::CancelledParams>(params);
  if (!cancelled || !cancelled->requestId) return;
  const auto found = in_flight.find(*cancelled->requestId);
  if (found == in_flight.end()) return;
  // A copy: cancelling may end the handler and erase the entry.
  const auto entry = found->second;
  entry->cancelled = true;
  entry->task.cancel();
}

}  // namespace fairlead::session
