#include "base/change_result.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>

#include "support/test_loop.hpp"

namespace fairlead::change_result_test {
namespace {

Task<int> later(int value) {
  co_return value;
}

Task<std::unique_ptr<int>> boxed(int value) {
  return std::make_unique<int>(value);
}

constexpr auto add_one = [](int& value) { ++value; };

TEST(ChangeResult, KeepsAReadyTaskReady) {
  auto changed = change_result(Task<int>(1), add_one);
  ASSERT_TRUE(changed.is_ready());
  EXPECT_EQ(changed.take(), 2);
}

TEST(ChangeResult, ChangesALaterResult) {
  test::TestLoop loop;
  auto changed = change_result(later(1), add_one);
  EXPECT_FALSE(changed.is_ready());
  EXPECT_EQ(loop.run(std::move(changed)), 2);
}

TEST(ChangeResult, MovesTheResult) {
  auto changed = change_result(boxed(1), [](std::unique_ptr<int>& value) { ++*value; });
  ASSERT_TRUE(changed.is_ready());
  EXPECT_EQ(*changed.take(), 2);
}

TEST(ChangeResult, AnExceptionOfTheChangeFailsTheTask) {
  test::TestLoop loop;
  const auto fails = [](int&) { throw std::runtime_error("broken"); };
  EXPECT_THROW(change_result(Task<int>(1), fails).take(), std::runtime_error);
  EXPECT_THROW(loop.run(change_result(later(1), fails)), std::runtime_error);
}

}  // namespace
}  // namespace fairlead::change_result_test
