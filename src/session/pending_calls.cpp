#include "session/pending_calls.hpp"

#include <utility>

namespace fairlead::session {
namespace {

// Calls with a longer timeout are subscriptions, not counted as pending.
constexpr Duration listening = std::chrono::hours{24};

}  // namespace

PendingCalls::Entry::Entry(TimerWheel& timers, const Call& of)
    : deadline(of.timeouts.idle, of.timeouts.total, timers.clock()),
      clock(timers.clock()),
      timer(timers, [this] { expire(); }),
      call(of),
      lasts(of.timeouts.total > listening) {}

// Progress moves the deadline only; the timer checks the deadline when it fires.
void PendingCalls::Entry::expire() {
  if (call.last_peer_wait) deadline.extend_from(call.last_peer_wait());
  if (!deadline.current().passed(clock)) return timer.arm(deadline.current());
  answer.set(fail(ErrorKind::timeout, "no response before the deadline"));
}

PendingCalls::PendingCall::PendingCall(PendingCalls& calls, const Call& call)
    : calls_(calls), id_(calls.next_id_++), entry_(std::make_shared<Entry>(calls.timers_, call)) {
  if (calls.failure_) entry_->answer.set(std::unexpected(*calls.failure_));
  calls.entries_.emplace(id_, entry_);
  if (!entry_->lasts) ++calls.awaited_;
}

PendingCalls::PendingCall::~PendingCall() {
  if (!entry_->lasts) --calls_.awaited_;
  calls_.entries_.erase(id_);
}

std::shared_ptr<PendingCalls::Entry> PendingCalls::find(const jsonrpc::Id& id) {
  const auto* number = id.as_number();
  if (!number) return nullptr;
  const auto found = entries_.find(*number);
  return found == entries_.end() ? nullptr : found->second;
}

bool PendingCalls::answer(const jsonrpc::Id& id, Result<json::Payload>&& result,
                          const jsonrpc::MessageHeaders* headers) {
  const auto entry = find(id);
  if (!entry) return false;
  if (headers && entry->call.on_response_headers) entry->call.on_response_headers(*headers);
  entry->answer.set(std::move(result));
  return true;
}

void PendingCalls::progress(const Progress& notification) {
  const auto entry = find(notification.progressToken);
  if (!entry) return;
  entry->deadline.extend();
  if (entry->call.on_progress) entry->call.on_progress(notification);
}

void PendingCalls::on_response_deferred(const jsonrpc::Id& id) {
  const auto entry = find(id);
  if (entry && entry->call.on_response_deferred) entry->call.on_response_deferred();
}

void PendingCalls::fail_all(const Error& error) {
  failure_ = error;
  for (const auto& [id, entry] : entries_) entry->answer.set(std::unexpected(error));
}

}  // namespace fairlead::session
