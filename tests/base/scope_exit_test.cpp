#include "base/scope_exit.hpp"

#include <gtest/gtest.h>
#include <stdexcept>

namespace fairlead::scope_exit_test {
namespace {

TEST(ScopeExit, CallsTheFunctionAtTheEndOfTheScope) {
  int calls = 0;
  {
    const ScopeExit exit([&] { ++calls; });
    EXPECT_EQ(calls, 0);
  }
  EXPECT_EQ(calls, 1);
}

TEST(ScopeExit, CallsTheFunctionAfterAnException) {
  int calls = 0;
  try {
    const ScopeExit exit([&] { ++calls; });
    throw std::runtime_error("expected");
  } catch (const std::runtime_error&) {
    EXPECT_EQ(calls, 1);
  }
  EXPECT_EQ(calls, 1);
}

TEST(ScopeExit, DoesNotCallAReleasedFunction) {
  int calls = 0;
  {
    ScopeExit exit([&] { ++calls; });
    exit.release();
  }
  EXPECT_EQ(calls, 0);
}

}  // namespace
}  // namespace fairlead::scope_exit_test
