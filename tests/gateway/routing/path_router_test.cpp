#include "gateway/routing/path_router.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/fake_exchange.hpp"
#include "support/test_loop.hpp"

namespace fairlead::gateway::test {
namespace {

/// Replies with its name.
class NamedHandler final : public http::Handler {
 public:
  explicit NamedHandler(std::string name, bool ready_reply = false) : name_(std::move(name)), at_once_(ready_reply) {}

  std::optional<http::Response> answer_now(http::Request&) override {
    if (!at_once_) return std::nullopt;
    return http::Response{.body = name_};
  }
  Task<void> serve(http::Exchange& exchange) override {
    http::Response response{.body = name_};
    co_await exchange.respond(std::move(response));
  }
  std::optional<std::size_t> preferred_worker(const http::Request&) const override { return name_.size(); }
  Task<void> close() override {
    closed = true;
    co_return;
  }

  bool closed = false;

 private:
  std::string name_;
  bool at_once_;
};

struct PathRouterTest : testing::Test {
  PathRouterTest() {
    router.add("", all);
    router.add("/s/git", git);
    router.add("/s/git/hub", hub);
  }
  static Task<bool> serving(PathRouter* router, http::Exchange* exchange) {
    co_await router->serve(*exchange);
    co_return true;
  }
  static Task<bool> closing(PathRouter* router) {
    co_await router->close();
    co_return true;
  }
  std::string behind(const std::string& path) {
    fairlead::test::FakeExchange exchange(loop.loop(), "GET", path);
    loop.run(serving(&router, &exchange));
    return exchange.status() == 200 ? exchange.body() : std::to_string(exchange.status());
  }

  fairlead::test::TestLoop loop;
  std::shared_ptr<NamedHandler> all = std::make_shared<NamedHandler>("all");
  std::shared_ptr<NamedHandler> git = std::make_shared<NamedHandler>("git");
  std::shared_ptr<NamedHandler> hub = std::make_shared<NamedHandler>("hub");
  PathRouter router;
};

TEST_F(PathRouterTest, UsesTheLongestPrefix) {
  EXPECT_EQ(behind("/s/git/mcp"), "git");
  EXPECT_EQ(behind("/s/git/hub/mcp"), "hub");
  EXPECT_EQ(behind("/s/git"), "git");
  EXPECT_EQ(behind("/mcp"), "all");
}

TEST_F(PathRouterTest, Attack_MatchesWholePathSegments) {
  EXPECT_EQ(behind("/s/github/mcp"), "all");
  EXPECT_EQ(behind("/s/git/hubble/mcp"), "git");
  EXPECT_EQ(behind("/s/GIT/mcp"), "all");
  EXPECT_EQ(behind("/s/%67it/mcp"), "all");
  EXPECT_EQ(behind("/s//git/mcp"), "all");
  EXPECT_EQ(behind("/s/./git/mcp"), "all");
}

TEST_F(PathRouterTest, DoesNotRouteToARemovedHandler) {
  EXPECT_EQ(router.remove("/s/git"), git);
  EXPECT_EQ(behind("/s/git/mcp"), "all");
  EXPECT_FALSE(git->closed) << "the caller of remove() closes the handler";
  EXPECT_EQ(router.remove("/s/git"), nullptr);
}

TEST_F(PathRouterTest, AnswersUnknownPathsWith404) {
  router.remove("");
  EXPECT_EQ(behind("/mcp"), "404");
  fairlead::test::FakeExchange exchange(loop.loop(), "GET", "/mcp");
  EXPECT_EQ(router.answer_now(exchange.request())->status, 404);
  EXPECT_EQ(router.preferred_worker(exchange.request()), std::nullopt);
}

TEST_F(PathRouterTest, AnswersInlineWithTheRightHandler) {
  router.add("/now", std::make_shared<NamedHandler>("now", true));
  fairlead::test::FakeExchange exchange(loop.loop(), "GET", "/now/x");
  EXPECT_EQ(router.answer_now(exchange.request())->body, "now");
  EXPECT_EQ(router.preferred_worker(exchange.request()), 3U);
  fairlead::test::FakeExchange other(loop.loop(), "GET", "/mcp");
  EXPECT_FALSE(router.answer_now(other.request()));
}

TEST_F(PathRouterTest, ClosesAllHandlers) {
  loop.run(closing(&router));
  EXPECT_TRUE(all->closed && git->closed && hub->closed);
  EXPECT_EQ(behind("/mcp"), "404");
}

}  // namespace
}  // namespace fairlead::gateway::test
