#include <fairlead/base/timer_wheel.hpp>

#include <algorithm>
#include <bit>
#include <utility>

#include "base/scope_exit.hpp"

namespace fairlead {

TimerWheel::TimerWheel(const Clock& clock, Wake wake) : clock_(clock), wake_(std::move(wake)), origin_(clock.now()) {}

TimerWheel::~TimerWheel() {
  const auto release = [this](Links& head) {
    while (head.next != &head) unlink(static_cast<Timer&>(*head.next));
  };
  for (auto& level : wheel_) std::ranges::for_each(level, release);
  release(due_);
}

void TimerWheel::arm(Timer& timer, Deadline deadline) {
  if (timer.armed_) unlink(timer);
  if (deadline.is_never()) return;
  // An empty wheel is not advanced, so it first catches up with the clock.
  if (armed_ == 0 && !advancing_) now_ = std::max(now_, ticks_at(clock_.now()));
  const auto since_origin = deadline.when() - origin_;
  const auto last_tick = ticks_at(deadline.when());
  timer.expiry_ = std::max(now_ + 1, last_tick + (since_origin % tick > Duration::zero() ? 1 : 0));
  insert(timer);
  timer.armed_ = true;
  ++armed_;
  if (!advancing_) request_wake(std::min(timer.expiry_, (now_ | slot_mask) + 1));
}

void TimerWheel::disarm(Timer& timer) {
  unlink(timer);
}

void TimerWheel::insert(Timer& timer) {
  const auto furthest = now_ + (std::uint64_t{1} << (levels * slot_bits)) - 1;
  const auto at = std::min(timer.expiry_, furthest);
  const auto distance = at - now_;
  const unsigned level = distance < slots ? 0u : (static_cast<unsigned>(std::bit_width(distance)) - 1) / slot_bits;
  const auto slot = static_cast<unsigned>((at >> (level * slot_bits)) & slot_mask);
  Links& head = wheel_[level][slot];
  Links& node = timer;
  node.previous = head.previous;
  node.next = &head;
  head.previous->next = &node;
  head.previous = &node;
  timer.level_ = static_cast<std::uint8_t>(level);
  timer.slot_ = static_cast<std::uint8_t>(slot);
  timer.is_due_ = false;
  occupied_[level] |= std::uint64_t{1} << slot;
}

void TimerWheel::unlink(Timer& timer) {
  Links& node = timer;
  node.previous->next = node.next;
  node.next->previous = node.previous;
  node.previous = node.next = &node;
  timer.armed_ = false;
  --armed_;
  if (timer.is_due_) return;
  const Links& head = wheel_[timer.level_][timer.slot_];
  if (head.next == &head) occupied_[timer.level_] &= ~(std::uint64_t{1} << timer.slot_);
}

void TimerWheel::advance() {
  if (advancing_) return;
  {
    advancing_ = true;
    const ScopeExit reset([this] { advancing_ = false; });
    fire_due();  // Timers left over after an exception in a callback.
    const auto target = ticks_at(clock_.now());
    while (now_ < target) {
      const auto stop = armed_ == 0 ? no_tick : next_tick();
      now_ = std::min(stop, target);
      if (now_ != stop) break;
      cascade();
      collect(0, static_cast<unsigned>(now_ & slot_mask));
      fire_due();
    }
  }
  requested_ = no_tick;
  if (armed_ > 0) request_wake(next_tick());
}

// At the start of each round, moves the timers of the next coarser slot one level down.
void TimerWheel::cascade() {
  for (unsigned level = 1; level < levels; ++level) {
    if ((now_ & ((std::uint64_t{1} << (level * slot_bits)) - 1)) != 0) return;
    collect(level, static_cast<unsigned>((now_ >> (level * slot_bits)) & slot_mask));
    for (Links* node = due_.next; node != &due_;) {
      auto& timer = static_cast<Timer&>(*std::exchange(node, node->next));
      timer.previous->next = timer.next;
      timer.next->previous = timer.previous;
      insert(timer);
    }
  }
}

void TimerWheel::collect(unsigned level, unsigned slot) {
  Links& head = wheel_[level][slot];
  if (head.next == &head) return;
  for (Links* node = head.next; node != &head; node = node->next) static_cast<Timer*>(node)->is_due_ = true;
  head.next->previous = due_.previous;
  due_.previous->next = head.next;
  head.previous->next = &due_;
  due_.previous = head.previous;
  head.next = head.previous = &head;
  occupied_[level] &= ~(std::uint64_t{1} << slot);
}

void TimerWheel::fire_due() {
  while (due_.next != &due_) {
    auto& timer = static_cast<Timer&>(*due_.next);
    unlink(timer);
    // A copy, because the callback may destroy the timer it belongs to.
    const auto on_expiry = timer.on_expiry_;
    on_expiry();
  }
}

// The next tick to process: an occupied slot of this round, or the end of the round.
std::uint64_t TimerWheel::next_tick() const {
  const auto position = now_ & slot_mask;
  const auto ahead = position == slot_mask ? 0 : occupied_[0] >> (position + 1);
  return ahead == 0 ? (now_ | slot_mask) + 1 : now_ + 1 + static_cast<unsigned>(std::countr_zero(ahead));
}

void TimerWheel::request_wake(std::uint64_t at) {
  if (at >= requested_) return;
  requested_ = at;
  if (wake_) wake_(time_of(at));
}

std::uint64_t TimerWheel::ticks_at(TimePoint time) const {
  return time <= origin_ ? 0 : static_cast<std::uint64_t>((time - origin_) / tick);
}

TimePoint TimerWheel::time_of(std::uint64_t at) const {
  return origin_ + tick * static_cast<Duration::rep>(at);
}

}  // namespace fairlead
