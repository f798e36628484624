#include "gateway/upstream/call_slots.hpp"

#include "gateway/fixtures/manual_loop.hpp"

namespace fairlead::gateway::test::call_slots_test {
namespace {

Task<bool> acquire(CallSlots* slots, CallerId caller, std::vector<CallSlots::Slot>* held) {
  auto slot = co_await slots->acquire(caller);
  const bool acquired(slot);
  held->push_back(std::move(slot));
  co_return acquired;
}

TEST(CallSlots, Finding_S15_TheWaitingCallerWithTheFewestSlotsIsNext) {
  const CallerId anna{.principal = "anna"}, ben{.principal = "ben"};
  ManualLoop manual;
  CallSlots slots(2, 8);
  std::vector<CallSlots::Slot> held;
  auto first_task = slots.acquire(anna), second_task = slots.acquire(anna);
  ASSERT_TRUE(first_task.is_ready() && second_task.is_ready());
  auto first = first_task.take(), second = second_task.take();
  const auto of_anna = manual.start(acquire(&slots, anna, &held));
  const auto of_ben = manual.start(acquire(&slots, ben, &held));
  first = CallSlots::Slot();
  manual.poll();
  EXPECT_TRUE(of_ben->done());
  EXPECT_FALSE(of_anna->done());
  second = CallSlots::Slot();
  manual.poll();
  EXPECT_TRUE(of_anna->done());
}

}  // namespace
}  // namespace fairlead::gateway::test::call_slots_test
