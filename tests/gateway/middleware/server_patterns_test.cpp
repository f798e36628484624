#include <fairlead/base/asio_task.hpp>
#include <fairlead/gateway/breaker.hpp>
#include <fairlead/gateway/chain.hpp>
#include <fairlead/gateway/filter.hpp>
#include <fairlead/gateway/rename.hpp>

#include "gateway/fixtures/aggregator_fixture.hpp"

// Middleware in front of several servers.
namespace fairlead::gateway::test::server_patterns_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct ServerPatternsTest : AggregatorTest {
  ServerPatternsTest() {
    add("git").tools({"log", "push"}).answers("tools/call", R"({"from":"git"})");
    add("files").tools({"read", "push"}).answers("tools/call", R"({"from":"files"})");
  }

  static Task<void> through(std::shared_ptr<session::Service> service, Call call, Pending pending) {
    auto reply = co_await service->call(call);
    pending->emplace(std::move(reply));
  }
  std::string call_through_chain(const Chain& chain, std::string method, std::string params = "{}") {
    const auto pending = std::make_shared<std::optional<Result<Reply>>>();
    Call call{.method = std::move(method), .params = json::Payload::trusted(std::move(params))};
    async_start(loop_, through(chain.then(static_cast<session::Service&>(aggregator())), std::move(call), pending),
                [](const std::exception_ptr&) {});
    poll();
    if (!*pending) return "…";
    return **pending ? std::string((**pending)->body.text()) : "!" + (*pending)->error().message;
  }
  std::string call_through(const Chain& chain, const std::string& tool) {
    return call_through_chain(chain, "tools/call", R"({"name":")" + tool + R"("})");
  }
};

TEST_F(ServerPatternsTest, HidesAllToolsOfADeniedServer) {
  const auto guarded = chain().then(deny({.servers = {"git"}}));
  EXPECT_THAT(keys(ListKind::tools, call_through_chain(guarded, "tools/list")), ElementsAre("read", "files__push"));
  EXPECT_THAT(call_through(guarded, "git__push"), HasSubstr("is not allowed here"));
  EXPECT_EQ(call_through(guarded, "files__push"), R"({"from":"files"})");
}

TEST_F(ServerPatternsTest, FindsTheServerBeforeTheCall) {
  EXPECT_THAT(call_through(chain().then(deny({.servers = {"git"}})), "log"), HasSubstr("is not allowed here"));
  EXPECT_EQ(backends_[0]->count("tools/call"), 0U);
}

TEST_F(ServerPatternsTest, RefusesToolsOfUnknownServers) {
  backends_[0]->silent = true;
  const auto guarded = chain().then(deny({.servers = {"git"}}));
  const auto pending = std::make_shared<std::optional<Result<Reply>>>();
  Call call{.method = "tools/call", .params = json::Payload::trusted(R"({"name":"log"})")};
  async_start(loop_, through(guarded.then(static_cast<session::Service&>(aggregator())), std::move(call), pending),
              [](const std::exception_ptr&) {});
  poll();
  pass(1min);
  backends_[0]->release();
  poll();
  ASSERT_TRUE(*pending);
  EXPECT_FALSE(**pending);
  EXPECT_EQ(backends_[0]->count("tools/call"), 0U);
}

TEST_F(ServerPatternsTest, AllowsToolsOfOneServerOnly) {
  const auto guarded = chain().then(allow({.tools = {"*push"}, .servers = {"g*"}}));
  EXPECT_THAT(keys(ListKind::tools, call_through_chain(guarded, "tools/list")), ElementsAre("git__push"));
  EXPECT_EQ(call_through(guarded, "git__push"), R"({"from":"git"})");
  EXPECT_THAT(call_through(guarded, "files__push"), HasSubstr("is not allowed here"));
}

TEST_F(ServerPatternsTest, RenamedToolsKeepTheirServer) {
  const auto guarded = chain().then(deny({.servers = {"git"}})).then(*rename({{"log", "history"}}));
  EXPECT_THAT(call_through(guarded, "history"), HasSubstr("is not allowed here"));
  const auto other = chain().then(deny({.servers = {"files"}})).then(*rename({{"log", "history"}}));
  EXPECT_EQ(call_through(other, "history"), R"({"from":"git"})");
}

TEST_F(ServerPatternsTest, CountsFailuresPerServer) {
  const EventLoop own{loop_.get_executor(), wheel_, log_};
  const auto guarded = chain().then(breaker({.failures = 2, .open = 30s}, own));
  call_through_chain(guarded, "tools/list");
  backends_[0]->dead = true;
  call_through(guarded, "log");
  call_through(guarded, "log");
  EXPECT_THAT(call_through(guarded, "log"), HasSubstr("the server 'git' failed 2 times in a row"));
  EXPECT_EQ(call_through(guarded, "read"), R"({"from":"files"})");
}

}  // namespace
}  // namespace fairlead::gateway::test::server_patterns_test
