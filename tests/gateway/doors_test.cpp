#include "gateway/doors.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/fake_exchange.hpp"
#include "support/test_loop.hpp"

namespace fairlead::gateway::test {
namespace {

/// Says which door it was.
class NamedDoor final : public http::Handler {
 public:
  explicit NamedDoor(std::string name, bool at_once = false) : name_(std::move(name)), at_once_(at_once) {}

  std::optional<http::Response> answer_now(http::Request&) override {
    if (!at_once_) return std::nullopt;
    return http::Response{.body = name_};
  }
  Task<void> serve(http::Exchange& exchange) override {
    http::Response response{.body = name_};
    co_await exchange.respond(std::move(response));
  }
  std::optional<std::size_t> home(const http::Request&) const override { return name_.size(); }
  Task<void> close() override {
    closed = true;
    co_return;
  }

  bool closed = false;

 private:
  std::string name_;
  bool at_once_;
};

struct DoorsTest : testing::Test {
  DoorsTest() {
    doors.open("", all);
    doors.open("/s/git", git);
    doors.open("/s/git/hub", hub);
  }
  static Task<bool> serving(Doors* doors, http::Exchange* exchange) {
    co_await doors->serve(*exchange);
    co_return true;
  }
  static Task<bool> closing(Doors* doors) {
    co_await doors->close();
    co_return true;
  }
  std::string behind(const std::string& path) {
    fairlead::test::FakeExchange exchange(loop.loop(), "GET", path);
    loop.run(serving(&doors, &exchange));
    return exchange.status() == 200 ? exchange.body() : std::to_string(exchange.status());
  }

  fairlead::test::TestLoop loop;
  std::shared_ptr<NamedDoor> all = std::make_shared<NamedDoor>("all");
  std::shared_ptr<NamedDoor> git = std::make_shared<NamedDoor>("git");
  std::shared_ptr<NamedDoor> hub = std::make_shared<NamedDoor>("hub");
  Doors doors;
};

TEST_F(DoorsTest, TheLongestBeginningOfAPathCounts) {
  EXPECT_EQ(behind("/s/git/mcp"), "git");
  EXPECT_EQ(behind("/s/git/hub/mcp"), "hub");
  EXPECT_EQ(behind("/s/git"), "git");
  EXPECT_EQ(behind("/mcp"), "all");
}

TEST_F(DoorsTest, Attack_ABeginningEndsWhereASegmentDoes) {
  EXPECT_EQ(behind("/s/github/mcp"), "all");
  EXPECT_EQ(behind("/s/git/hubble/mcp"), "git");
  EXPECT_EQ(behind("/s/GIT/mcp"), "all");
  EXPECT_EQ(behind("/s/%67it/mcp"), "all");
  EXPECT_EQ(behind("/s//git/mcp"), "all");
  EXPECT_EQ(behind("/s/./git/mcp"), "all");
}

TEST_F(DoorsTest, ADoorThatIsShutIsFoundNoMore) {
  EXPECT_EQ(doors.shut("/s/git"), git);
  EXPECT_EQ(behind("/s/git/mcp"), "all");
  EXPECT_FALSE(git->closed) << "who shuts it closes it when what is under way has ended";
  EXPECT_EQ(doors.shut("/s/git"), nullptr);
}

TEST_F(DoorsTest, WhereThereIsNoDoorThereIsNothing) {
  doors.shut("");
  EXPECT_EQ(behind("/mcp"), "404");
  fairlead::test::FakeExchange exchange(loop.loop(), "GET", "/mcp");
  EXPECT_EQ(doors.answer_now(exchange.request())->status, 404);
  EXPECT_EQ(doors.home(exchange.request()), std::nullopt);
}

TEST_F(DoorsTest, WhatIsAnsweredAtOnceIsAnsweredByTheRightDoor) {
  doors.open("/now", std::make_shared<NamedDoor>("now", true));
  fairlead::test::FakeExchange exchange(loop.loop(), "GET", "/now/x");
  EXPECT_EQ(doors.answer_now(exchange.request())->body, "now");
  EXPECT_EQ(doors.home(exchange.request()), 3U);
  fairlead::test::FakeExchange other(loop.loop(), "GET", "/mcp");
  EXPECT_FALSE(doors.answer_now(other.request()));
}

TEST_F(DoorsTest, AllAreClosedInTheEnd) {
  loop.run(closing(&doors));
  EXPECT_TRUE(all->closed && git->closed && hub->closed);
  EXPECT_EQ(behind("/mcp"), "404");
}

}  // namespace
}  // namespace fairlead::gateway::test
