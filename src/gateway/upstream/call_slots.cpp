#include "gateway/upstream/call_slots.hpp"

#include <iterator>
#include <optional>

#include "base/scope_exit.hpp"

namespace fairlead::gateway {
namespace {

// Above this number, counters of idle callers are removed.
constexpr std::size_t counters_kept = 1024;

}  // namespace

CallSlots::Count& CallSlots::count_of(const CallerId& caller) {
  if (const auto found = counts_.find(caller); found != counts_.end()) return found->second;
  if (counts_.size() >= counters_kept) {
    std::erase_if(counts_, [](const auto& each) { return each.second.held == 0 && each.second.waiting == 0; });
  }
  return counts_[caller];
}

Task<CallSlots::Slot> CallSlots::acquire(const CallerId& caller) {
  auto& count = count_of(caller);
  if (free_ == 0 || count.held >= share_) return wait_for_slot(count);
  --free_;
  ++count.held;
  return Slot(*this, count);
}

Task<CallSlots::Slot> CallSlots::wait_for_slot(Count& count) {
  const auto granted = std::make_shared<Promise<bool>>();
  const auto position = queue_.insert(queue_.end(), Waiter{.granted = granted, .count = &count});
  ++count.waiting;
  std::optional<bool> is_granted;
  {
    // Removes the queue entry, also when the caller is cancelled.
    const ScopeExit leave([this, position] {
      --position->count->waiting;
      queue_.erase(position);
    });
    is_granted = co_await granted->wait();
  }
  if (!is_granted) co_return Slot();
  Slot slot(*this, count);
  // Not inside the destructor of the slot that was returned.
  co_await next_turn;
  co_return slot;
}

std::size_t CallSlots::calls_over_queue_share(const CallerId& caller) const {
  if (queue_.empty()) return 0;
  const auto found = counts_.find(caller);
  if (found == counts_.end()) return 0;
  return found->second.waiting >= fair_share(queue_size_) ? found->second.waiting : 0;
}

void CallSlots::release(Count& count) {
  --count.held;
  ++free_;
  grant_next();
}

// Grants a slot to the longest waiting call of the caller with the fewest slots.
void CallSlots::grant_next() {
  auto next = queue_.end();
  for (auto each = queue_.begin(); each != queue_.end(); ++each) {
    if (each->granted->is_set() || each->count->held >= share_) continue;
    if (next == queue_.end() || each->count->held < next->count->held) next = each;
  }
  if (next == queue_.end() || free_ == 0) return;
  --free_;
  ++next->count->held;
  next->granted->set(true);
}

}  // namespace fairlead::gateway
