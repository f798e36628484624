#include <fairlead/store/directory.hpp>

#include <gtest/gtest.h>

namespace fairlead::store::directory_test {
namespace {

struct Guest {
  std::string name;
  bool at_work = false;
  std::string owner = {};

  const std::string& id() const { return name; }
  bool busy() const { return at_work; }
  const std::string& principal() const { return owner; }
};

std::shared_ptr<Guest> guest(std::string name, bool busy = false, std::string owner = {}) {
  return std::make_shared<Guest>(Guest{std::move(name), busy, std::move(owner)});
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
  directory.find("b");
  directory.find("a");
  std::shared_ptr<Guest> evicted;
  EXPECT_EQ(directory.make_room("", evicted), Directory<Guest>::Room::made);
  ASSERT_TRUE(evicted);
  EXPECT_EQ(evicted->name, "b");
  EXPECT_TRUE(directory.find("a"));
}

TEST(Directory, WhoIsAtWorkIsNeverPutOut) {
  Directory<Guest> directory(small);
  directory.insert(guest("a", true));
  directory.insert(guest("b", true));
  std::shared_ptr<Guest> evicted;
  EXPECT_EQ(directory.make_room("", evicted), Directory<Guest>::Room::full);
  EXPECT_EQ(directory.size(), 2u);
}

TEST(Directory, Finding_S15_APrincipalWithManyMakesRoomByItsOwn) {
  Directory<Guest> directory({.max_entries = 8});
  directory.insert(guest("b", false, "ben"));
  for (int i = 0; i < 20; ++i) {
    std::shared_ptr<Guest> evicted;
    ASSERT_EQ(directory.make_room("anna", evicted), Directory<Guest>::Room::made);
    if (evicted) {
      EXPECT_EQ(evicted->owner, "anna");
    }
    directory.insert(guest("a" + std::to_string(i), false, "anna"));
  }
  EXPECT_EQ(directory.size(), 7u) << "six are her share";
  EXPECT_TRUE(directory.find("b"));
}

TEST(Directory, Finding_S15_APrincipalWhoseEntriesAreAllAtWorkIsRefusedBeyondItsShare) {
  Directory<Guest> directory({.max_entries = 4});
  std::shared_ptr<Guest> evicted;
  for (const auto* name : {"1", "2", "3"}) directory.insert(guest(name, true, "anna"));
  EXPECT_EQ(directory.make_room("anna", evicted), Directory<Guest>::Room::share_used);
  EXPECT_EQ(directory.make_room("ben", evicted), Directory<Guest>::Room::made);
  EXPECT_FALSE(evicted);
}

TEST(Directory, Finding_S15_WhereAllIsFullWhoHasTheMostMakesRoom) {
  Directory<Guest> directory({.max_entries = 4});
  directory.insert(guest("c", false, "carl"));
  for (const auto* name : {"a1", "a2"}) directory.insert(guest(name, false, "anna"));
  directory.insert(guest("b", false, "ben"));
  std::shared_ptr<Guest> evicted;
  EXPECT_EQ(directory.make_room("ben", evicted), Directory<Guest>::Room::made);
  ASSERT_TRUE(evicted);
  EXPECT_EQ(evicted->name, "a1");
}

TEST(Directory, Finding_S15_OfNobodysWhatWasNeverUsedGoesFirst) {
  Directory<Guest> directory({.max_entries = 4});
  directory.insert(guest("used"));
  directory.find("used");
  for (int i = 0; i < 20; ++i) {
    std::shared_ptr<Guest> evicted;
    EXPECT_EQ(directory.make_room("", evicted), Directory<Guest>::Room::made);
    directory.insert(guest("flood" + std::to_string(i)));
  }
  EXPECT_TRUE(directory.find("used"));
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
