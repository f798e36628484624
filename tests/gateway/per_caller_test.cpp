#include "gateway/upstream/per_caller.hpp"

#include <fairlead/base/task_scope.hpp>
#include <fairlead/server.hpp>

#include "manual_loop.hpp"

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
  Task<void> notify(session::Notice& notice) override {
    heard.push_back(notice.method);
    co_return;
  }
  std::vector<std::string> heard = {};
};

/// Servers of this process, one for each caller that has one; each counts its own calls.
struct PerCallerTest : testing::Test {
  PerCallerTest() { make_with(3); }
  void make_with(std::size_t most) {
    const auto make = [this](const Call&) {
      auto& app = *apps.emplace_back(std::make_unique<server::Server>("own", "1"));
      app.tool("count", "Counts", [number = 0]() mutable { return ++number; });
      app.resource("note://one", "one", [] { return "first"; });
      UpstreamOptions options{.name = "own"};
      options.client.revision = "2025-11-25";
      return std::make_shared<Upstream>(manual.loop(), client::Endpoint(app), options);
    };
    each = std::make_shared<PerCaller>(manual.loop(), make, PerCallerOptions{.name = "own", .most = most});
  }
  ~PerCallerTest() override {
    places.clear();
    manual.run(each->stop());
    tasks.cancel();
    manual.run(tasks.join());
  }

  CountingPeer& enter(std::uint64_t key, std::string principal = {}) {
    peers.push_back(std::make_unique<CountingPeer>());
    places[key] = each->attend({.key = key,
                                .principal = std::move(principal),
                                .peer = *peers.back(),
                                .executor = manual.loop().executor,
                                .tasks = tasks});
    return *peers.back();
  }
  static Task<Result<Reply>> calling(PerCaller* each, Call call) { co_return co_await each->call(call); }
  std::string call(std::uint64_t conversation, std::string principal = {}, std::string_view revision = "2025-11-25",
                   std::string method = "tools/call", std::string params = R"({"name":"count","arguments":{}})") {
    auto made = call_in(revision, std::move(method), std::move(params));
    made.context.conversation = conversation;
    made.context.principal = std::move(principal);
    const auto reply = manual.start(calling(each.get(), std::move(made)));
    if (!reply->value) return "no answer";
    if (!*reply->value) return reply->value->error().message;
    const auto text = (**reply->value).body.text();
    const auto at = text.find(R"("text":")");
    return at == std::string::npos ? std::string(text) : std::string(text.substr(at + 8, 1));
  }

  ManualLoop manual;
  TaskScope tasks{manual.loop().executor, manual.log(), "test"};
  std::vector<std::unique_ptr<server::Server>> apps;
  std::shared_ptr<PerCaller> each;
  std::vector<std::unique_ptr<CountingPeer>> peers;
  std::map<std::uint64_t, std::unique_ptr<session::Attendance>> places;
};

TEST_F(PerCallerTest, EachConversationHasAServerOfItsOwn) {
  enter(1);
  enter(2);
  EXPECT_EQ(call(1), "1");
  EXPECT_EQ(call(1), "2");
  EXPECT_EQ(call(2), "1");
  EXPECT_THAT(apps, SizeIs(2));
}

TEST_F(PerCallerTest, NobodyHasOneBeforeHeCalls) {
  enter(1);
  EXPECT_THAT(apps, IsEmpty());
  EXPECT_THAT(each->states(), IsEmpty());
  EXPECT_EQ(each->known(), nullptr);
}

TEST_F(PerCallerTest, ItGoesWithItsCaller) {
  enter(1);
  call(1);
  EXPECT_THAT(each->states(), SizeIs(1));
  places.erase(1);
  manual.poll();
  EXPECT_THAT(each->states(), IsEmpty());
}

TEST_F(PerCallerTest, WhoHasNoConversationHasOneByName) {
  EXPECT_EQ(call(0, "anna", "2026-07-28"), "1");
  EXPECT_EQ(call(0, "anna", "2026-07-28"), "2");
  EXPECT_EQ(call(0, "ben", "2026-07-28"), "1");
}

TEST_F(PerCallerTest, Attack_AConversationNeverGetsTheServerOfAPrincipalItNames) {
  EXPECT_EQ(call(0, "anna", "2026-07-28"), "1");
  enter(1, "ben");
  EXPECT_EQ(call(1, "ben"), "1");
  EXPECT_THAT(apps, SizeIs(2));
}

TEST_F(PerCallerTest, ThereAreSoManyAndTheErrorSaysSo) {
  for (std::uint64_t key = 1; key <= 4; ++key) enter(key);
  for (std::uint64_t key = 1; key <= 3; ++key) EXPECT_EQ(call(key), "1");
  EXPECT_THAT(call(4), HasSubstr("runs 3 times already, once for each caller, which is its limit"));
  places.erase(1);
  manual.poll();
  EXPECT_EQ(call(4), "1") << "one has gone, so there is room";
}

TEST_F(PerCallerTest, Finding_S15_OnePrincipalTakesNoMoreThanItsShareOfTheProcesses) {
  make_with(4);
  for (std::uint64_t key = 1; key <= 4; ++key) enter(key, "anna");
  enter(5, "ben");
  for (std::uint64_t key = 1; key <= 3; ++key) EXPECT_EQ(call(key, "anna"), "1");
  EXPECT_THAT(call(4, "anna"), HasSubstr("runs 3 times for you already"));
  EXPECT_EQ(call(5, "ben"), "1");
}

TEST_F(PerCallerTest, WhoFindsNoPlaceLeavesNothingBehind) {
  for (const auto* name : {"a", "b", "c"}) EXPECT_EQ(call(0, name, "2026-07-28"), "1");
  EXPECT_THAT(call(0, "d", "2026-07-28"), HasSubstr("which is its limit"));
  EXPECT_THAT(each->states(), SizeIs(3));
  EXPECT_NE(each->known(), nullptr);
}

TEST_F(PerCallerTest, TheGatewayItselfNeedsOneServerAndHearsOfItsChanges) {
  auto& gateway = enter(0);
  static_cast<void>(manual.start(each->describe()));
  EXPECT_THAT(call(0, "", "2025-11-25", "tools/list", "{}"), HasSubstr("count"));
  ASSERT_THAT(apps, SizeIs(1));
  apps[0]->tool("more", "Is new", [] { return 1; });
  manual.poll();
  EXPECT_THAT(gateway.heard, ElementsAre("notifications/tools/list_changed"));
}

TEST_F(PerCallerTest, WhatAServerTellsReachesItsOwnCaller) {
  auto& one = enter(1);
  auto& two = enter(2);
  call(1);
  call(2);
  apps[0]->tool("more", "Is new", [] { return 1; });
  manual.poll();
  EXPECT_THAT(one.heard, ElementsAre("notifications/tools/list_changed"));
  EXPECT_THAT(two.heard, IsEmpty());
}

TEST_F(PerCallerTest, WhoListensWithoutASessionHearsTheServerOfHisName) {
  auto& listener = enter(5, "anna");
  call(5, "anna", "2026-07-28", "resources/subscribe", R"({"uri":"note://one"})");
  call(0, "anna", "2026-07-28");
  ASSERT_THAT(apps, SizeIs(1));
  apps[0]->resource_updated("note://one");
  manual.poll();
  EXPECT_THAT(listener.heard, ElementsAre("notifications/resources/updated"));
}

}  // namespace
}  // namespace fairlead::gateway::test
