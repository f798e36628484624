#include <fairlead/store/session_table.hpp>

#include <gtest/gtest.h>

namespace fairlead::store::session_table_test {
namespace {

struct TestSession {
  std::string name;
  bool at_work = false;
  std::string owner = {};

  const std::string& id() const { return name; }
  bool busy() const { return at_work; }
  const std::string& principal() const { return owner; }
};

std::shared_ptr<TestSession> make_session(std::string name, bool busy = false, std::string owner = {}) {
  return std::make_shared<TestSession>(TestSession{std::move(name), busy, std::move(owner)});
}

constexpr SessionTableLimits small{.max_entries = 2, .idle = std::chrono::minutes{30}};

TEST(SessionTable, FindsById) {
  SessionTable<TestSession> table(small);
  table.insert(make_session("a"));
  EXPECT_EQ(table.find("a")->name, "a");
  EXPECT_FALSE(table.find("b"));
}

TEST(SessionTable, ErasesSessions) {
  SessionTable<TestSession> table(small);
  table.insert(make_session("a"));
  EXPECT_TRUE(table.erase("a"));
  EXPECT_FALSE(table.erase("a"));
  EXPECT_FALSE(table.find("a"));
  EXPECT_EQ(table.size(), 0u);
}

TEST(SessionTable, EvictsTheLongestIdle) {
  ManualClock clock;
  SessionTable<TestSession> table(small, clock);
  table.insert(make_session("a"));
  table.insert(make_session("b"));
  table.find("b");
  table.find("a");
  std::shared_ptr<TestSession> evicted;
  EXPECT_EQ(table.make_capacity("", evicted), SessionTable<TestSession>::Capacity::made);
  ASSERT_TRUE(evicted);
  EXPECT_EQ(evicted->name, "b");
  EXPECT_TRUE(table.find("a"));
}

TEST(SessionTable, NeverEvictsBusySessions) {
  SessionTable<TestSession> table(small);
  table.insert(make_session("a", true));
  table.insert(make_session("b", true));
  std::shared_ptr<TestSession> evicted;
  EXPECT_EQ(table.make_capacity("", evicted), SessionTable<TestSession>::Capacity::full);
  EXPECT_EQ(table.size(), 2u);
}

TEST(SessionTable, Finding_S15_EvictsSessionsOfTheSamePrincipalBeyondItsShare) {
  SessionTable<TestSession> table({.max_entries = 8});
  table.insert(make_session("b", false, "ben"));
  for (int i = 0; i < 20; ++i) {
    std::shared_ptr<TestSession> evicted;
    ASSERT_EQ(table.make_capacity("anna", evicted), SessionTable<TestSession>::Capacity::made);
    if (evicted) {
      EXPECT_EQ(evicted->owner, "anna");
    }
    table.insert(make_session("a" + std::to_string(i), false, "anna"));
  }
  EXPECT_EQ(table.size(), 7u) << "six are her share";
  EXPECT_TRUE(table.find("b"));
}

TEST(SessionTable, Finding_S15_RejectsBeyondTheShareIfAllAreBusy) {
  SessionTable<TestSession> table({.max_entries = 4});
  std::shared_ptr<TestSession> evicted;
  for (const auto* name : {"1", "2", "3"}) table.insert(make_session(name, true, "anna"));
  EXPECT_EQ(table.make_capacity("anna", evicted), SessionTable<TestSession>::Capacity::share_used);
  EXPECT_EQ(table.make_capacity("ben", evicted), SessionTable<TestSession>::Capacity::made);
  EXPECT_FALSE(evicted);
}

TEST(SessionTable, Finding_S15_EvictsFromTheLargestPrincipal) {
  SessionTable<TestSession> table({.max_entries = 4});
  table.insert(make_session("c", false, "carl"));
  for (const auto* name : {"a1", "a2"}) table.insert(make_session(name, false, "anna"));
  table.insert(make_session("b", false, "ben"));
  std::shared_ptr<TestSession> evicted;
  EXPECT_EQ(table.make_capacity("ben", evicted), SessionTable<TestSession>::Capacity::made);
  ASSERT_TRUE(evicted);
  EXPECT_EQ(evicted->name, "a1");
}

TEST(SessionTable, Finding_S15_EvictsUnusedAnonymousSessionsFirst) {
  SessionTable<TestSession> table({.max_entries = 4});
  table.insert(make_session("used"));
  table.find("used");
  for (int i = 0; i < 20; ++i) {
    std::shared_ptr<TestSession> evicted;
    EXPECT_EQ(table.make_capacity("", evicted), SessionTable<TestSession>::Capacity::made);
    table.insert(make_session("flood" + std::to_string(i)));
  }
  EXPECT_TRUE(table.find("used"));
}

TEST(SessionTable, IdleSessionsExpire) {
  ManualClock clock;
  SessionTable<TestSession> table(small, clock);
  table.insert(make_session("a"));
  table.insert(make_session("b"));
  clock.advance(std::chrono::minutes{20});
  table.find("b");
  clock.advance(std::chrono::minutes{10});
  const auto expired = table.expire();
  ASSERT_EQ(expired.size(), 1u);
  EXPECT_EQ(expired[0]->name, "a");
  EXPECT_TRUE(table.find("b"));
}

TEST(SessionTable, BusySessionsDoNotExpire) {
  ManualClock clock;
  SessionTable<TestSession> table(small, clock);
  table.insert(make_session("a", true));
  clock.advance(std::chrono::hours{1});
  EXPECT_TRUE(table.expire().empty());
  EXPECT_TRUE(table.find("a"));
}

}  // namespace
}  // namespace fairlead::store::session_table_test
