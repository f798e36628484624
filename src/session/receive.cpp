#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <utility>

#include "session/session_state.hpp"

namespace fairlead::session {
namespace {

constexpr std::size_t some_answers = 32;

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

bool is_initialize(const jsonrpc::Entry& entry) {
  const auto* request = entry ? std::get_if<jsonrpc::Request>(&*entry) : nullptr;
  return request && request->method == protocol::Initialize::method;
}

jsonrpc::ErrorResponse invalid(std::string why) {
  return {.id = {},
          .error = {.code = jsonrpc::code::invalid_request,
                    .message = "Invalid Request",
                    .data = json::to_payload(std::move(why))}};
}

Error refused(jsonrpc::ErrorObject error) {
  return {.kind = ErrorKind::refused,
          .message = std::move(error.message),
          .code = error.code,
          .data = error.data ? std::string(error.data->text()) : std::string()};
}

}  // namespace

Task<Result<void>> SessionState::read_all() {
  while (true) {
    auto received = co_await transport.receive();
    if (!received) {
      note_lost(received.error());
      pending.fail_all(received.error());
      // Hanging up is how a conversation ends, not a failure of it.
      if (received.error().kind == ErrorKind::closed || finishing) co_return Result<void>();
      co_return std::unexpected(std::move(received.error()));
    }
    take(std::move(*received));
    // One that asks and does not read the answers is not listened to until it does.
    if (outbox.is_behind()) co_await outbox.caught_up();
    if (finishing) co_return Result<void>();
    // A peer that sends faster than we answer would otherwise wait for the last answer before it sees the first.
    if (outbox.waiting() >= some_answers) co_await boost::asio::post(loop.executor, boost::asio::use_awaitable);
  }
}

void SessionState::take(transport::Received&& received) {
  std::visit(Overloaded{[&](jsonrpc::Message& message) { take(std::move(message), nullptr); },
                        [&](jsonrpc::Batch& batch) { take_batch(std::move(batch)); },
                        [&](transport::Related& related) { take(std::move(related)); },
                        [&](transport::Paused& paused) { pending.paused(paused.about); },
                        [&](transport::Lost& lost) { pending.answer(lost.id, std::unexpected(std::move(lost.error))); },
                        [&](transport::Unreadable& bad) { take(std::move(bad)); }},
             received);
}

void SessionState::take(transport::Unreadable&& bad) {
  report_unreadable(bad);
  if (fail_answered(bad.reply)) return;
  // A client that complained about what a server prints would confuse it further.
  if (options.side == Side::server) deliver_now({std::move(bad.reply)}, nullptr);
}

// True if it was meant as the answer to a call of ours, which then waits no longer.
bool SessionState::fail_answered(const jsonrpc::Unread& bad) {
  if (!bad.answers) return false;
  return pending.answer(*bad.answers, std::unexpected(transport::unreadable_answer(bad)));
}

// A peer that sends nothing else must not fill the log.
void SessionState::report_unreadable(const transport::Unreadable& bad) {
  if (bad.logged) return;
  const auto others = unreadable.admit();
  if (!others) return;
  log(loop.log, LogLevel::warning, options.name, [&] {
    const auto& why = bad.reply.error;
    const auto detail = why.data ? " (" + std::string(why.data->text()) + ")" : "";
    const std::string who = options.side == Side::client ? "the server" : "the client";
    const auto what = bad.text.empty() ? " sent something" : " sent \"" + bad.text + "\"";
    return who + what + " that is not a message of MCP: " + why.message + detail + *others;
  });
}

void SessionState::note_lost(const Error& why) {
  if (closed || finishing || std::exchange(was_lost, true)) return;
  if (options.on_lost) options.on_lost(why);
}

void SessionState::take(jsonrpc::Message&& message, const std::shared_ptr<BatchReply>& batch) {
  std::visit(Overloaded{[&](jsonrpc::Request& request) { serve(std::move(request), batch); },
                        [&](jsonrpc::Notification& notice) { take_notification(std::move(notice)); },
                        [&](jsonrpc::Response& response) {
                          pending.answer(response.id, std::move(response.result), response.luggage.get());
                        },
                        [&](jsonrpc::ErrorResponse& response) {
                          if (!response.id) return;
                          auto error = refused(std::move(response.error));
                          pending.answer(*response.id, std::unexpected(std::move(error)), response.luggage.get());
                        }},
             message);
}

void SessionState::take(transport::Related&& related) {
  if (auto* request = std::get_if<jsonrpc::Request>(&related.message)) {
    serve(std::move(*request), nullptr, std::move(related.about));
  } else if (auto* notice = std::get_if<jsonrpc::Notification>(&related.message)) {
    take_notification(std::move(*notice), std::move(related.about));
  } else {
    take(std::move(related.message), nullptr);
  }
}

void SessionState::take_batch(jsonrpc::Batch batch) {
  if (!era.accepts_batches()) {
    return deliver_now({invalid("batches are not part of this revision: send one message at a time")}, nullptr);
  }
  const auto reply = std::make_shared<BatchReply>();
  reply->missing = 1;  // Held open until every entry has been looked at.
  for (auto& entry : batch.entries) {
    if (is_initialize(entry)) {
      ++reply->missing;
      auto refusal = invalid("initialize must not be part of a batch");
      refusal.id = std::get<jsonrpc::Request>(*entry).id;
      deliver_now({std::move(refusal)}, reply);
    } else if (entry) {
      if (std::holds_alternative<jsonrpc::Request>(*entry)) ++reply->missing;
      take(std::move(*entry), reply);
    } else if (!fail_answered(entry.error())) {
      ++reply->missing;
      deliver_now({std::move(entry.error())}, reply);
    }
  }
  if (--reply->missing == 0 && !reply->messages.empty()) outbox.push_now(std::move(reply->messages));
}

void SessionState::take_notification(jsonrpc::Notification notification, std::optional<jsonrpc::Id> about) {
  era.resolve_alias(notification.method);
  if (notification.method == protocol::Cancelled::method) return cancel(notification.params);
  if (notification.method == protocol::Progress::method) {
    auto params = json::decode<protocol::ProgressParams>(notification.params);
    if (params) pending.progress({std::move(*params), std::move(notification.params)});
    return;
  }
  if (!may_pass(notices_in, notification.method, "a notification of the peer's,")) return;
  handlers->spawn(notify_service({.method = std::move(notification.method),
                                  .params = std::move(notification.params),
                                  .revision = era.revision(),
                                  .about = std::move(about),
                                  .conversation = key,
                                  .principal = options.principal}));
}

void SessionState::cancel(const json::Payload& params) {
  const auto cancelled = json::decode<protocol::CancelledParams>(params);
  if (!cancelled || !cancelled->requestId) return;
  const auto found = in_flight.find(*cancelled->requestId);
  if (found == in_flight.end()) return;
  // A copy: the handler may end while it is cancelled, and take its entry with it.
  const auto entry = found->second;
  entry->cancelled = true;
  entry->task.cancel();
}

}  // namespace fairlead::session
