#include "gateway/upstream/call_slots.hpp"

#include <iterator>

namespace fairlead::gateway {
namespace {

// Those who hold nothing are forgotten beyond this, so that a call usually finds its counter.
constexpr std::size_t counters_kept = 1024;

}  // namespace

CallSlots::Count& CallSlots::count_of(const CallerId& caller) {
  if (const auto found = counts_.find(caller); found != counts_.end()) return found->second;
  if (counts_.size() >= counters_kept) {
    std::erase_if(counts_, [](const auto& each) { return each.second.held == 0 && each.second.waiting == 0; });
  }
  return counts_[caller];
}

CallSlots::Slot CallSlots::enter_now(const CallerId& caller) {
  if (free_ == 0) return Slot();
  auto& count = count_of(caller);
  if (count.held >= share_) return Slot();
  --free_;
  ++count.held;
  return Slot(*this, count);
}

Task<CallSlots::Slot> CallSlots::enter(CallerId caller) {
  if (auto slot = enter_now(caller)) co_return slot;
  auto& count = count_of(caller);
  const auto turn = std::make_shared<Promise<bool>>();
  const auto place = queue_.insert(queue_.end(), Waiter{.turn = turn, .count = &count});
  ++count.waiting;
  // However it ends, also when the caller gives up: its place in the queue goes.
  struct Leave {
    CallSlots& slots;
    std::list<Waiter>::iterator place;
    ~Leave() {
      --place->count->waiting;
      slots.queue_.erase(place);
    }
  };
  bool mine = false;
  {
    const Leave leave{*this, place};
    mine = co_await turn->wait(false);
  }
  if (!mine) co_return Slot();
  co_return Slot(*this, count);
}

std::size_t CallSlots::queued_too_much(const CallerId& caller) const {
  const auto found = counts_.find(caller);
  if (found == counts_.end() || queue_size_ == 0) return 0;
  return found->second.waiting >= share_of_one(queue_size_) ? found->second.waiting : 0;
}

void CallSlots::release(Count& count) {
  --count.held;
  ++free_;
  hand_on();
}

// To the longest waiting call of the caller who has the fewest slots.
void CallSlots::hand_on() {
  auto next = queue_.end();
  for (auto each = queue_.begin(); each != queue_.end(); ++each) {
    if (each->turn->is_set() || each->count->held >= share_) continue;
    if (next == queue_.end() || each->count->held < next->count->held) next = each;
  }
  if (next == queue_.end() || free_ == 0) return;
  --free_;
  ++next->count->held;
  next->turn->set(true);
}

}  // namespace fairlead::gateway
