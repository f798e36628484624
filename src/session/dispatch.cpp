#include <fmt/format.h>
#include <utility>

#include "base/duration.hpp"
#include "session/session_state.hpp"

namespace fairlead::session {
namespace {

using protocol::Fault;
using protocol::fault_error;

/// Reaches the peer on behalf of one of its requests.
class RelatedChannel final : public Backchannel {
 public:
  RelatedChannel(SessionState& session, const Call& call) : session_(session), call_(call) {}

  Task<Result<Reply>> ask(std::string method, json::Payload params) override {
    Call question{.method = std::move(method), .params = std::move(params)};
    question.context.revision = call_.context.revision;
    const auto limit = session_.options.question_timeout;
    question.patience = {.idle = limit, .cap = limit};
    auto answer = co_await session_.ask(question, call_.context.id);
    if (!answer && answer.error().kind == ErrorKind::timeout) {
      answer.error().message = "the client did not answer " + question.method + " within " + write_duration(limit);
    }
    co_return answer;
  }

  Task<Result<void>> tell(std::string method, json::Payload params) override {
    return session_.outbox.push(
        transport::Outgoing{jsonrpc::Notification{std::move(method), std::move(params)}, call_.context.id});
  }

  bool tell_now(std::string_view method, const json::Payload& params) override {
    if (!session_.outbox.has_room()) return false;
    session_.outbox.push_now(transport::Outgoing{jsonrpc::Notification{std::string(method), params}, call_.context.id});
    return true;
  }

  void let_go() override { session_.transport.pause(*call_.context.id); }

 private:
  SessionState& session_;
  const Call& call_;
};

}  // namespace

// Where the conversation itself stands in the way of a request that is fine otherwise.
std::optional<jsonrpc::Message> SessionState::admit_here(jsonrpc::Request& request, Call& call) {
  if (auto refused = admit(era, request, call)) return refused;
  const auto refuse = [&](const char* why) {
    return refusal(request.id, fault_error(Fault::invalid_request, why), era);
  };
  if (in_flight.contains(request.id)) return refuse("this id belongs to a request still under way");
  if (in_flight.size() >= options.max_in_flight) return refuse("too many requests at once; wait for some answers");
  call.context.principal = options.principal;
  call.context.conversation = key;
  call.context.over = over.get_token();
  if (!call.context.luggage) call.context.luggage = options.luggage;
  return std::nullopt;
}

void SessionState::serve(jsonrpc::Request&& request, std::shared_ptr<BatchReply> batch,
                         std::optional<jsonrpc::Id> about) {
  const bool may_answer_now = service.answers_now();
  // A call that waits lives here and not in its coroutine, because Asio recycles small frames only; one that is
  // answered at once needs no such place.
  auto entry = may_answer_now ? nullptr : std::make_shared<InFlight>();
  std::optional<Call> at_hand;
  auto& call = entry ? entry->call : at_hand.emplace();
  if (auto refused = admit_here(request, call)) return deliver_now({std::move(*refused)}, batch);
  call.context.about = std::move(about);
  if (may_answer_now) {
    if (auto now = answered_now(service, call, reporter())) {
      return deliver_now({answer(request.id, call, std::move(*now), service, era.dialect()), request.id}, batch);
    }
  }
  if (!entry) entry = std::make_shared<InFlight>(std::move(call));
  entry->batch = std::move(batch);
  in_flight.emplace(request.id, entry);
  entry->task = handlers->spawn(handle(entry));
  if (!entry->task) in_flight.erase(request.id);
}

std::optional<jsonrpc::Message> SessionState::answer_now(jsonrpc::Request& request) {
  if (handlers == nullptr || closed || finishing || !service.answers_now()) return std::nullopt;
  Call call;
  if (auto refused = admit_here(request, call)) return refused;
  if (auto now = answered_now(service, call, reporter())) {
    return answer(request.id, call, std::move(*now), service, era.dialect());
  }
  give_back(request, call);
  return std::nullopt;
}

Task<void> SessionState::handle(std::shared_ptr<InFlight> entry) {
  auto& call = entry->call;
  const auto& batch = entry->batch;
  RelatedChannel back(*this, call);
  call.context.back = &back;
  const jsonrpc::Id id = *call.context.id;
  Result<Reply> reply;
  try {
    reply = co_await service.call(call);
  } catch (...) {
    reply = std::unexpected(failure_of(call, reporter()));
  }
  in_flight.erase(id);
  if (entry->cancelled) {
    transport.abandon(id);
    // A batch waits for all of its answers; one that will not come must not hold up the rest.
    if (batch && --batch->missing == 0 && !batch->messages.empty()) outbox.push_now(std::move(batch->messages));
    co_return;
  }
  // Even where the peer does not read: then no more is read of it (`Outbox::is_behind`).
  deliver_now({answer(id, call, std::move(reply), service, era.dialect()), id}, batch);
}

Task<void> SessionState::notify_service(Notice notice) {
  const NoticeLimit::Pass pass(notices_in, notice.method.size() + notice.params.text().size());
  co_await service.notify(notice);
}

bool SessionState::may_pass(NoticeLimit& limit, std::string_view method, std::string_view whose) const {
  if (limit.has_room()) return true;
  if (limit.drop()) {
    log(loop.log, LogLevel::warning, options.name, [&] {
      return fmt::format(
          "{} {} is dropped, and so are those that follow: {} notifications of {} bytes wait for a receiver that does "
          "not take them",
          whose, method, limit.count(), limit.bytes());
    });
  }
  return false;
}

void SessionState::deliver_now(transport::Outgoing&& outgoing, const std::shared_ptr<BatchReply>& batch) {
  if (!batch) return outbox.push_now(std::move(outgoing));
  batch->messages.push_back(std::move(outgoing.message));
  if (--batch->missing == 0) outbox.push_now(std::move(batch->messages));
}

}  // namespace fairlead::session
