#include <fairlead/store/directory.hpp>

#include <gtest/gtest.h>

namespace fairlead::store::directory_test {
namespace {

struct Guest {
  std::string name;
  bool at_work = false;

  const std::string& id() const { return name; }
  bool busy() const { return at_work; }
};

std::shared_ptr<Guest> guest(std::string name, bool busy = false) {
  return std::make_shared<Guest>(Guest{std::move(name), busy});
}

constexpr DirectoryLimits small{.max_entries = 2, .idle = std::chrono::minutes{30}};

TEST(Directory, FindsByName) {
  Directory<Guest> directory(small);
  directory.insert(guest("a"));
  EXPECT_EQ(directory.find("a")->name, "a");
  EXPECT_FALSE(directory.find("b"));
}

TEST(Directory, WhatIsErasedIsGone) {
  Directory<Guest> directory(small);
  directory.insert(guest("a"));
  EXPECT_TRUE(directory.erase("a"));
  EXPECT_FALSE(directory.erase("a"));
  EXPECT_FALSE(directory.find("a"));
  EXPECT_EQ(directory.size(), 0u);
}

TEST(Directory, TheLongestIdleMakesRoom) {
  ManualClock clock;
  Directory<Guest> directory(small, clock);
  directory.insert(guest("a"));
  directory.insert(guest("b"));
  directory.find("a");
  std::shared_ptr<Guest> evicted;
  EXPECT_TRUE(directory.make_room(evicted));
  ASSERT_TRUE(evicted);
  EXPECT_EQ(evicted->name, "b");
  EXPECT_TRUE(directory.find("a"));
}

TEST(Directory, WhoIsAtWorkIsNeverPutOut) {
  Directory<Guest> directory(small);
  directory.insert(guest("a", true));
  directory.insert(guest("b", true));
  std::shared_ptr<Guest> evicted;
  EXPECT_FALSE(directory.make_room(evicted));
  EXPECT_EQ(directory.size(), 2u);
}

TEST(Directory, IdleOnesExpireAndUsedOnesStay) {
  ManualClock clock;
  Directory<Guest> directory(small, clock);
  directory.insert(guest("a"));
  directory.insert(guest("b"));
  clock.advance(std::chrono::minutes{20});
  directory.find("b");
  clock.advance(std::chrono::minutes{10});
  const auto expired = directory.expire();
  ASSERT_EQ(expired.size(), 1u);
  EXPECT_EQ(expired[0]->name, "a");
  EXPECT_TRUE(directory.find("b"));
}

TEST(Directory, ABusyOneDoesNotExpire) {
  ManualClock clock;
  Directory<Guest> directory(small, clock);
  directory.insert(guest("a", true));
  clock.advance(std::chrono::hours{1});
  EXPECT_TRUE(directory.expire().empty());
  EXPECT_TRUE(directory.find("a"));
}

}  // namespace
}  // namespace fairlead::store::directory_test
