#include "gateway/upstream/per_caller_pool.hpp"

#include <fairlead/base/task_scope.hpp>
#include <fairlead/server.hpp>

#include "gateway/fixtures/client_error_text.hpp"
#include "gateway/fixtures/manual_loop.hpp"

namespace fairlead::gateway::test {
namespace {

using session::Call;
using session::Reply;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct CountingPeer final : session::Service {
  Task<Result<Reply>> call(Call&) override { co_return Reply{}; }
  Task<void> notify(session::Notification& notice) override {
    received.push_back(notice.method);
    co_return;
  }
  std::vector<std::string> received = {};
};

/// In-process servers, one per caller; each counts its own calls.
struct PerCallerPoolTest : testing::Test {
  PerCallerPoolTest() { make_with(3); }
  void make_with(std::size_t max_servers) {
    const auto make = [this](const Call&) {
      auto& app = *apps.emplace_back(std::make_unique<server::Server>("own", "1"));
      app.tool("count", "Counts", [number = 0]() mutable { return ++number; });
      app.resource("note://one", "one", [] { return "first"; });
      UpstreamOptions options{.name = "own"};
      options.client.revision = "2025-11-25";
      return std::make_shared<Upstream>(manual.loop(), client::Endpoint(app), options);
    };
    pool = std::make_shared<PerCallerPool>(manual.loop(), make,
                                           PerCallerPoolOptions{.name = "own", .max_servers = max_servers});
  }
  ~PerCallerPoolTest() override {
    hooks.clear();
    manual.run(pool->stop());
    tasks.cancel();
    manual.run(tasks.join());
  }

  CountingPeer& open_session(std::uint64_t key, std::string principal = {}) {
    peers.push_back(std::make_unique<CountingPeer>());
    hooks[key] =
        pool->on_session_open({.key = key, .principal = std::move(principal), .peer = *peers.back(), .tasks = tasks});
    return *peers.back();
  }
  static Task<Result<Reply>> calling(PerCallerPool* pool, Call call) { co_return co_await pool->call(call); }
  std::string call(std::uint64_t session_key, std::string principal = {}, std::string_view revision = "2025-11-25",
                   std::string method = "tools/call", std::string params = R"({"name":"count","arguments":{}})") {
    auto made = call_in(revision, std::move(method), std::move(params));
    made.context.session_key = session_key;
    made.context.principal = std::move(principal);
    const auto reply = manual.start(calling(pool.get(), std::move(made)));
    if (!reply->value) return "no answer";
    if (!*reply->value) return client_error_text(reply->value->error());
    const auto text = (**reply->value).body.text();
    const auto at = text.find(R"("text":")");
    return at == std::string::npos ? std::string(text) : std::string(text.substr(at + 8, 1));
  }

  ManualLoop manual;
  TaskScope tasks{manual.loop().executor, manual.log(), "test"};
  std::vector<std::unique_ptr<server::Server>> apps;
  std::shared_ptr<PerCallerPool> pool;
  std::vector<std::unique_ptr<CountingPeer>> peers;
  std::map<std::uint64_t, std::unique_ptr<session::SessionHook>> hooks;
};

TEST_F(PerCallerPoolTest, StartsOneServerPerSession) {
  open_session(1);
  open_session(2);
  EXPECT_EQ(call(1), "1");
  EXPECT_EQ(call(1), "2");
  EXPECT_EQ(call(2), "1");
  EXPECT_THAT(apps, SizeIs(2));
}

TEST_F(PerCallerPoolTest, StartsNoServerBeforeTheFirstCall) {
  open_session(1);
  EXPECT_THAT(apps, IsEmpty());
  EXPECT_THAT(pool->states(), IsEmpty());
  EXPECT_EQ(pool->last_description(), nullptr);
}

TEST_F(PerCallerPoolTest, StopsTheServerWhenItsSessionEnds) {
  open_session(1);
  call(1);
  EXPECT_THAT(pool->states(), SizeIs(1));
  hooks.erase(1);
  manual.poll();
  EXPECT_THAT(pool->states(), IsEmpty());
}

TEST_F(PerCallerPoolTest, StartsOneServerPerPrincipalForStatelessCalls) {
  EXPECT_EQ(call(0, "anna", "2026-07-28"), "1");
  EXPECT_EQ(call(0, "anna", "2026-07-28"), "2");
  EXPECT_EQ(call(0, "ben", "2026-07-28"), "1");
}

TEST_F(PerCallerPoolTest, Attack_DoesNotGiveASessionTheServerOfAnotherPrincipal) {
  EXPECT_EQ(call(0, "anna", "2026-07-28"), "1");
  open_session(1, "ben");
  EXPECT_EQ(call(1, "ben"), "1");
  EXPECT_THAT(apps, SizeIs(2));
}

TEST_F(PerCallerPoolTest, ReportsTheLimitOfServers) {
  for (std::uint64_t key = 1; key <= 4; ++key) open_session(key);
  for (std::uint64_t key = 1; key <= 3; ++key) EXPECT_EQ(call(key), "1");
  EXPECT_THAT(call(4), HasSubstr("already runs 3 times, once per caller, which is the limit"));
  hooks.erase(1);
  manual.poll();
  EXPECT_EQ(call(4), "1") << "one has stopped";
}

TEST_F(PerCallerPoolTest, Finding_S15_LimitsOnePrincipalToItsShareOfServers) {
  make_with(4);
  for (std::uint64_t key = 1; key <= 4; ++key) open_session(key, "anna");
  open_session(5, "ben");
  for (std::uint64_t key = 1; key <= 3; ++key) EXPECT_EQ(call(key, "anna"), "1");
  EXPECT_THAT(call(4, "anna"), HasSubstr("already runs 3 times for you"));
  EXPECT_EQ(call(5, "ben"), "1");
}

TEST_F(PerCallerPoolTest, KeepsNoStateForARefusedCaller) {
  for (const auto* name : {"a", "b", "c"}) EXPECT_EQ(call(0, name, "2026-07-28"), "1");
  EXPECT_THAT(call(0, "d", "2026-07-28"), HasSubstr("which is the limit"));
  EXPECT_THAT(pool->states(), SizeIs(3));
  EXPECT_NE(pool->last_description(), nullptr);
}

TEST_F(PerCallerPoolTest, SendsChangesOfTheSharedServerToTheGateway) {
  auto& gateway = open_session(0);
  static_cast<void>(manual.start(pool->describe()));
  EXPECT_THAT(call(0, "", "2025-11-25", "tools/list", "{}"), HasSubstr("count"));
  ASSERT_THAT(apps, SizeIs(1));
  apps[0]->tool("more", "Is new", [] { return 1; });
  manual.poll();
  EXPECT_THAT(gateway.received, ElementsAre("notifications/tools/list_changed"));
}

TEST_F(PerCallerPoolTest, SendsNotificationsToTheOwningSession) {
  auto& one = open_session(1);
  auto& two = open_session(2);
  call(1);
  call(2);
  apps[0]->tool("more", "Is new", [] { return 1; });
  manual.poll();
  EXPECT_THAT(one.received, ElementsAre("notifications/tools/list_changed"));
  EXPECT_THAT(two.received, IsEmpty());
}

TEST_F(PerCallerPoolTest, SendsUpdatesOfThePrincipalsServerToItsListener) {
  auto& listener = open_session(5, "anna");
  call(5, "anna", "2026-07-28", "resources/subscribe", R"({"uri":"note://one"})");
  call(0, "anna", "2026-07-28");
  ASSERT_THAT(apps, SizeIs(1));
  apps[0]->resource_updated("note://one");
  manual.poll();
  EXPECT_THAT(listener.received, ElementsAre("notifications/resources/updated"));
}

}  // namespace
}  // namespace fairlead::gateway::test
