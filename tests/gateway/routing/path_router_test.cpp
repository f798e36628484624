#include "gateway/routing/path_router.hpp"

#include <boost/asio/post.hpp>
#include <fairlead/base/asio_task.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/fake_exchange.hpp"
#include "support/test_loop.hpp"

namespace fairlead::gateway::test {
namespace {

enum class ReplyKind : std::uint8_t { ready, later, streamed };

/// Replies with its name.
class NamedHandler final : public http::Handler {
 public:
  explicit NamedHandler(std::string name, ReplyKind reply = ReplyKind::ready) : name_(std::move(name)), reply_(reply) {}

  Task<http::Response> handle(http::Request&) override {
    if (reply_ == ReplyKind::later) return reply_later();
    if (reply_ == ReplyKind::ready) return http::Response{.body = name_};
    return http::streamed([this](http::Exchange& exchange) { return stream(exchange); });
  }
  std::optional<std::size_t> preferred_worker(const http::Request&) const override { return name_.size(); }
  Task<void> close() override {
    closed = true;
    return {};
  }

  bool closed = false;

 private:
  static Task<void> next_turn() {
    const auto executor = co_await this_task::executor;
    co_await boost::asio::post(executor, use_task);
  }
  Task<http::Response> reply_later() {
    co_await next_turn();
    co_return http::Response{.body = name_};
  }
  Task<void> stream(http::Exchange& exchange) {
    co_await next_turn();
    http::Response response{.body = name_};
    co_await exchange.respond(std::move(response));
  }

  std::string name_;
  ReplyKind reply_;
};

struct PathRouterTest : testing::Test {
  PathRouterTest() {
    router.add("", all);
    router.add("/s/git", git);
    router.add("/s/git/hub", hub);
  }
  static Task<bool> closing(PathRouter* router) {
    co_await router->close();
    co_return true;
  }
  std::string behind(const std::string& path) {
    fairlead::test::FakeExchange exchange(loop.loop(), "GET", path);
    loop.run(serve(router, exchange));
    return exchange.status() == 200 ? exchange.body() : std::to_string(exchange.status());
  }

  /// Runs a request up to its first wait.
  fairlead::test::Pending<bool> begin(fairlead::test::FakeExchange& exchange) {
    auto served = loop.start(serve(router, exchange));
    loop.context().restart();
    loop.context().run_one();
    return served;
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
  EXPECT_EQ(router.handle(exchange.request()).take().status, 404);
  EXPECT_EQ(router.preferred_worker(exchange.request()), std::nullopt);
}

TEST_F(PathRouterTest, PassesOnReadyResponses) {
  fairlead::test::FakeExchange exchange(loop.loop(), "POST", "/s/git/x");
  auto response = router.handle(exchange.request());
  ASSERT_TRUE(response.is_ready());
  EXPECT_EQ(response.take().body, "git");
  EXPECT_EQ(router.preferred_worker(exchange.request()), 3U);
}

TEST_F(PathRouterTest, KeepsARemovedHandlerUntilItsResponsesAreSent) {
  for (const auto reply : {ReplyKind::later, ReplyKind::streamed}) {
    for (const auto* method : {"GET", "POST"}) {
      auto handler = std::make_shared<NamedHandler>("other", reply);
      router.add("/other", handler);
      fairlead::test::FakeExchange exchange(loop.loop(), method, "/other");
      const auto served = begin(exchange);
      router.remove("/other");
      const std::weak_ptr<NamedHandler> removed = std::exchange(handler, nullptr);
      EXPECT_FALSE(removed.expired());
      loop.finish(served);
      EXPECT_EQ(exchange.body(), "other");
      EXPECT_TRUE(removed.expired());
    }
  }
}

TEST_F(PathRouterTest, CountsStreamsOfGet) {
  router.add("/stream", std::make_shared<NamedHandler>("stream", ReplyKind::streamed));
  for (const std::string method : {"GET", "POST"}) {
    fairlead::test::FakeExchange exchange(loop.loop(), method, "/stream");
    const auto served = begin(exchange);
    EXPECT_EQ(router.streams(), method == "GET" ? 1U : 0U);
    loop.finish(served);
    EXPECT_EQ(router.streams(), 0U);
  }
}

TEST_F(PathRouterTest, ClosesAllHandlers) {
  loop.run(closing(&router));
  EXPECT_TRUE(all->closed && git->closed && hub->closed);
  EXPECT_EQ(behind("/mcp"), "404");
}

}  // namespace
}  // namespace fairlead::gateway::test
