#include "session/pending_calls.hpp"

#include <utility>

namespace fairlead::session {

PendingCalls::Entry::Entry(TimerWheel& timers, const Call& call)
    : deadline(call.patience.idle, call.patience.cap, timers.clock()),
      clock(timers.clock()),
      timer(timers, [this] { expire(); }),
      on_progress(call.on_progress),
      on_paused(call.on_paused),
      on_luggage(call.on_luggage) {}

// Progress moves the deadline and not the timer, which looks again when it seems to have passed.
void PendingCalls::Entry::expire() {
  if (!deadline.current().passed(clock)) return timer.arm(deadline.current());
  answer.set(fail(ErrorKind::timeout, "no answer before the deadline"));
}

PendingCalls::Ticket::Ticket(PendingCalls& calls, const Call& call) : calls_(calls), id_(calls.next_id_++) {
  auto entry = std::make_shared<Entry>(calls.timers_, call);
  if (calls.failure_) entry->answer.set(std::unexpected(*calls.failure_));
  calls.entries_.emplace(id_, std::move(entry));
}

PendingCalls::Ticket::~Ticket() {
  calls_.entries_.erase(id_);
}

Task<Result<json::Payload>> PendingCalls::Ticket::wait() {
  // Shared, because the ticket may go while the answer is on its way to the waiting coroutine.
  const auto entry = calls_.entries_.at(id_);
  entry->timer.arm(entry->deadline.current());
  Result<json::Payload> given_up = fail(ErrorKind::cancelled, "cancelled by the caller");
  co_return co_await entry->answer.wait(std::move(given_up));
}

PendingCalls::Entry* PendingCalls::find(const jsonrpc::Id& id) {
  const auto* number = id.as_number();
  if (!number) return nullptr;
  const auto found = entries_.find(*number);
  return found == entries_.end() ? nullptr : found->second.get();
}

void PendingCalls::answer(const jsonrpc::Id& id, Result<json::Payload> result, const jsonrpc::Luggage* luggage) {
  auto* entry = find(id);
  if (!entry) return;
  if (luggage && entry->on_luggage) entry->on_luggage(*luggage);
  entry->answer.set(std::move(result));
}

void PendingCalls::progress(const Progress& told) {
  auto* entry = find(told.progressToken);
  if (!entry) return;
  entry->deadline.extend();
  if (entry->on_progress) entry->on_progress(told);
}

void PendingCalls::paused(const jsonrpc::Id& id) {
  const auto* entry = find(id);
  if (entry && entry->on_paused) entry->on_paused();
}

void PendingCalls::fail_all(const Error& error) {
  failure_ = error;
  for (const auto& [id, entry] : entries_) entry->answer.set(std::unexpected(error));
}

}  // namespace fairlead::session
