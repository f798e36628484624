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

TEST_F(LastValueTest, FindsOnlyTheKeyThatWasSet) {
  EXPECT_FALSE(cache.find(""));
  cache.set("four", 4);
  ASSERT_TRUE(cache.find("four"));
  EXPECT_EQ(*cache.find("four"), 4U);
  EXPECT_FALSE(cache.find("three"));
}

TEST(LastValueEqual, DecidesWhichKeysAreEqual) {
  using SameLength = decltype([](const std::string& a, const std::string& b) { return a.size() == b.size(); });
  LastValue<std::string, int, SameLength> cache;
  cache.set("four", 4);
  EXPECT_TRUE(cache.find("five"));
  EXPECT_FALSE(cache.find("three"));
}

TEST_F(LastValueTest, ComputesTheDefaultKeyToo) {
  EXPECT_EQ(length_of(""), 0U);
  EXPECT_EQ(computed, 1);
}

}  // namespace
}  // namespace fairlead::last_value_test
