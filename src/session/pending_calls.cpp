#include "session/pending_calls.hpp"

#include <utility>

namespace fairlead::session {
namespace {

// No answer is waited for that long.
constexpr Duration listening = std::chrono::hours{24};

}  // namespace

PendingCalls::Entry::Entry(TimerWheel& timers, const Call& of)
    : deadline(of.patience.idle, of.patience.cap, timers.clock()),
      clock(timers.clock()),
      timer(timers, [this] { expire(); }),
      call(of),
      lasts(of.patience.cap > listening) {}

// Progress moves the deadline and not the timer, which looks again when it seems to have passed.
void PendingCalls::Entry::expire() {
  if (call.waited_for_us) deadline.extend_from(call.waited_for_us());
  if (!deadline.current().passed(clock)) return timer.arm(deadline.current());
  answer.set(fail(ErrorKind::timeout, "no answer before the deadline"));
}

PendingCalls::Ticket::Ticket(PendingCalls& calls, const Call& call)
    : calls_(calls), id_(calls.next_id_++), entry_(std::make_shared<Entry>(calls.timers_, call)) {
  if (calls.failure_) entry_->answer.set(std::unexpected(*calls.failure_));
  calls.entries_.emplace(id_, entry_);
  if (!entry_->lasts) ++calls.awaited_;
}

PendingCalls::Ticket::~Ticket() {
  if (!entry_->lasts) --calls_.awaited_;
  calls_.entries_.erase(id_);
}

Result<json::Payload> PendingCalls::Ticket::take() {
  auto answer = entry_->answer.take();
  return answer ? std::move(*answer) : fail(ErrorKind::cancelled, "cancelled by the caller");
}

std::shared_ptr<PendingCalls::Entry> PendingCalls::find(const jsonrpc::Id& id) {
  const auto* number = id.as_number();
  if (!number) return nullptr;
  const auto found = entries_.find(*number);
  return found == entries_.end() ? nullptr : found->second;
}

bool PendingCalls::answer(const jsonrpc::Id& id, Result<json::Payload>&& result, const jsonrpc::Luggage* luggage) {
  const auto entry = find(id);
  if (!entry) return false;
  if (luggage && entry->call.on_luggage) entry->call.on_luggage(*luggage);
  entry->answer.set_and_yield(std::move(result));
  return true;
}

void PendingCalls::progress(const Progress& told) {
  const auto entry = find(told.progressToken);
  if (!entry) return;
  entry->deadline.extend();
  if (entry->call.on_progress) entry->call.on_progress(told);
}

void PendingCalls::paused(const jsonrpc::Id& id) {
  const auto entry = find(id);
  if (entry && entry->call.on_paused) entry->call.on_paused();
}

void PendingCalls::fail_all(const Error& error) {
  failure_ = error;
  for (const auto& [id, entry] : entries_) entry->answer.set(std::unexpected(error));
}

}  // namespace fairlead::session
