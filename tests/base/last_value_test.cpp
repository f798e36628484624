#include "base/last_value.hpp"

#include <gtest/gtest.h>
#include <string>

namespace fairlead::last_value_test {
namespace {

struct LastValueTest : testing::Test {
  std::size_t length_of(const std::string& key) {
    return cache.get(key, [this](const std::string& stored) {
      ++computed;
      return stored.size();
    });
  }

  LastValue<std::string, std::size_t> cache;
  int computed = 0;
};

TEST_F(LastValueTest, ComputesAnEqualKeyOnce) {
  EXPECT_EQ(length_of("four"), 4U);
  EXPECT_EQ(length_of("four"), 4U);
  EXPECT_EQ(computed, 1);
}

TEST_F(LastValueTest, KeepsOnlyTheLastKey) {
  length_of("four");
  EXPECT_EQ(length_of("three"), 5U);
  EXPECT_EQ(cache.key(), "three");
  EXPECT_EQ(length_of("four"), 4U);
  EXPECT_EQ(computed, 3);
}

TEST_F(LastValueTest, ComputesTheDefaultKeyToo) {
  EXPECT_EQ(length_of(""), 0U);
  EXPECT_EQ(computed, 1);
}

}  // namespace
}  // namespace fairlead::last_value_test
