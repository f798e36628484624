#include <fairlead/gateway/cache.hpp>

#include <fairlead/base/task_scope.hpp>

#include "gateway/fixtures/manual_clock_fixture.hpp"
#include "gateway/middleware/reply_cache.hpp"

namespace fairlead::gateway::test::middleware_cache_test {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;

/// Delivers notifications of the server to open sessions.
struct CacheTest : ManualClockTest {
  struct IgnoringPeer final : Service {
    Task<Result<Reply>> call(Call&) override { co_return reply("{}"); }
    Task<void> notify(Notification&) override { co_return; }
  };

  void serve(std::string body) {
    server.on_call = [body](Call&) { return answering(body); };
  }
  static Call by(std::string caller, std::string method, std::string params = "{}") {
    auto call = call_of(std::move(method), std::move(params));
    call.context.principal = std::move(caller);
    return call;
  }
  void call_as(const std::string& caller, const std::string& method = "tools/list", const std::string& params = "{}") {
    text(service, by(caller, method, params));
  }
  std::size_t server_calls() const { return server.calls.size(); }

  void notify_session(const std::string& method, const std::string& params = "{}") {
    Service* peer = nullptr;
    server.on_open = [&](session::SessionRef& opened) {
      peer = &*opened.peer;
      return nullptr;
    };
    IgnoringPeer client;
    TaskScope tasks(io.get_executor(), log, "test");
    const auto hook = service->on_session_open({.key = 7, .peer = client, .tasks = tasks});
    Notification notice{.method = method, .params = json::Payload::trusted(params)};
    fairlead::test::spawn(io, notify_peer(peer, std::move(notice)));
    settle();
  }
  /// The server notifies all sessions before it answers with a cacheable result.
  void serve_while_notifying(const std::string& method) {
    server.on_open = [this](session::SessionRef& opened) {
      peer_ = &*opened.peer;
      return nullptr;
    };
    hook_.reset();
    hook_ = service->on_session_open({.key = 7, .peer = client_, .tasks = tasks_});
    server.on_call = [this, method](Call&) -> Task<Result<Reply>> { return notify_and_answer(peer_, method); };
  }
  static Task<Result<Reply>> notify_and_answer(Service* peer, std::string method) {
    Notification notice{.method = std::move(method), .params = json::Payload::trusted("{}")};
    co_await peer->notify(notice);
    co_return reply(R"({"tools":[],"ttlMs":5000})");
  }
  static Task<void> notify_peer(Service* peer, Notification notice) { co_await peer->notify(notice); }

  std::shared_ptr<Service> service = step("cache", {}).then(server);

 private:
  IgnoringPeer client_;
  TaskScope tasks_{io.get_executor(), log, "test"};
  Service* peer_ = nullptr;
  std::unique_ptr<session::SessionHook> hook_;
};

TEST_F(CacheTest, DoesNotStoreResultsWithoutTtl) {
  call_as("ann");
  call_as("ann");
  EXPECT_EQ(server_calls(), 2U);
}

TEST_F(CacheTest, CachesPublicResultsForAllCallersUntilTheyExpire) {
  serve(R"({"tools":[],"ttlMs":5000,"cacheScope":"public"})");
  call_as("ann");
  call_as("bob");
  call_as("");
  EXPECT_EQ(server_calls(), 1U);
  pass(seconds{6});
  call_as("ann");
  EXPECT_EQ(server_calls(), 2U);
}

TEST_F(CacheTest, CachesPrivateResultsPerCaller) {
  serve(R"({"contents":[],"ttlMs":5000,"cacheScope":"private"})");
  for (const auto* caller : {"ann", "bob", "ann", "bob"}) call_as(caller, "resources/read", R"({"uri":"a"})");
  EXPECT_EQ(server_calls(), 2U);
}

TEST_F(CacheTest, ResultsWithoutScopeArePrivate) {
  serve(R"({"tools":[],"ttlMs":5000})");
  for (const auto* caller : {"ann", "bob", "ann", "bob"}) call_as(caller);
  EXPECT_EQ(server_calls(), 2U);
}

TEST_F(CacheTest, AnonymousCallersDoNotSharePrivateResults) {
  serve(R"({"tools":[],"ttlMs":5000})");
  for (const auto session : {1U, 2U, 1U}) {
    auto call = by("", "tools/list");
    call.context.session_key = session;
    text(service, call);
  }
  EXPECT_EQ(server_calls(), 2U);
}

TEST_F(CacheTest, SetsTheRemainingTtlAndKeepsOtherMembers) {
  serve(R"({"tools":[{"n":1.0}],"ttlMs":5000,"cacheScope":"public"})");
  call_as("ann");
  pass(seconds{2});
  EXPECT_EQ(text(service, by("bob", "tools/list")), R"({"tools":[{"n":1.0}],"ttlMs":3000,"cacheScope":"public"})");
}

TEST_F(CacheTest, KeysByPageAndArgumentsButNotByMetadata) {
  serve(R"({"tools":[],"ttlMs":5000,"cacheScope":"public"})");
  call_as("ann", "tools/list", R"({"cursor":"a"})");
  call_as("ann", "tools/list", R"({"cursor":"b"})");
  call_as("ann", "tools/list", R"({"cursor":"a","_meta":{"progressToken":1}})");
  EXPECT_EQ(server_calls(), 2U);
}

TEST_F(CacheTest, CachesSuccessfulResultsOfNamedTools) {
  service = step("cache", {{"", "10s"}, {"tool", "get_*"}}).then(server);
  serve(R"({"content":[]})");
  for (int i = 0; i < 2; ++i) call_as("ann", "tools/call", R"({"name":"get_x","arguments":{}})");
  EXPECT_EQ(server_calls(), 1U);
  for (int i = 0; i < 2; ++i) call_as("ann", "tools/call", R"({"name":"pay","arguments":{}})");
  EXPECT_EQ(server_calls(), 3U);
  call_as("bob", "tools/call", R"({"name":"get_x","arguments":{}})");
  EXPECT_EQ(server_calls(), 4U);
  serve(R"({"content":[],"isError":true})");
  for (int i = 0; i < 2; ++i) call_as("ann", "tools/call", R"({"name":"get_y","arguments":{}})");
  EXPECT_EQ(server_calls(), 6U);
}

TEST_F(CacheTest, FetchesAChangedListAgain) {
  serve(R"({"tools":[],"ttlMs":50000,"cacheScope":"public"})");
  call_as("ann");
  notify_session("notifications/prompts/list_changed");
  call_as("ann");
  EXPECT_EQ(server_calls(), 1U);
  notify_session("notifications/tools/list_changed");
  call_as("ann");
  EXPECT_EQ(server_calls(), 2U);
}

TEST_F(CacheTest, DoesNotStoreResultsThatChangedDuringTheCall) {
  serve_while_notifying("notifications/tools/list_changed");
  call_as("ann");
  call_as("ann");
  EXPECT_EQ(server_calls(), 2U);
}

TEST_F(CacheTest, IgnoresOtherNotificationsDuringACall) {
  for (const auto* notice : {"notifications/message", "notifications/progress"}) {
    serve_while_notifying(notice);
    call_as(notice);
    call_as(notice);
  }
  EXPECT_EQ(server_calls(), 2U);
}

TEST_F(CacheTest, ReadsAChangedResourceAgainForAllCallers) {
  serve(R"({"contents":[],"ttlMs":50000})");
  const auto read_all = [&] {
    for (const auto* caller : {"ann", "bob"}) call_as(caller, "resources/read", R"({"uri":"a"})");
    call_as("ann", "resources/read", R"({"uri":"b"})");
  };
  read_all();
  notify_session("notifications/resources/updated", R"({"uri":"a"})");
  read_all();
  EXPECT_EQ(server_calls(), 5U);
}

TEST_F(CacheTest, DoesNotCacheInputRounds) {
  service = step("cache", {{"", "10s"}, {"tool", "*"}}).then(server);
  for (int i = 0; i < 2; ++i) call_as("ann", "tools/call", R"({"name":"x","requestState":"s"})");
  EXPECT_EQ(server_calls(), 2U);
}

TEST_F(CacheTest, RepliesWithCachedResultsAreReady) {
  serve(R"({"tools":[],"ttlMs":5000,"cacheScope":"public"})");
  auto call = by("ann", "tools/list");
  EXPECT_FALSE(service->call(call).is_ready());
  call_as("ann");
  EXPECT_TRUE(service->call(call).is_ready());
}

TEST_F(CacheTest, ReportsMissingArguments) {
  EXPECT_THAT(complaint("cache", {{"tool", "x"}, {"tool", "y"}}), HasSubstr("cache: "));
}

TEST(ReplyCache, EvictsTheLeastRecentlyUsed) {
  const ManualClock clock;
  ReplyCache cache(2, 10'000);
  const auto keep = [&](const std::string& name) {
    cache.store({.method = "m", .target = name, .owner = {}, .params = {}}, {.body = {}, .until = {}});
  };
  const auto has = [&](const std::string& name) {
    return cache.find({.method = "m", .target = name, .owner = {}, .params = {}}, clock) != nullptr;
  };
  keep("a");
  keep("b");
  EXPECT_TRUE(has("a"));
  keep("c");
  EXPECT_TRUE(has("a"));
  EXPECT_FALSE(has("b"));
}

TEST(ReplyCache, StaysWithinItsLimits) {
  ReplyCache cache(1000, 5'000);
  for (int i = 0; i < 100; ++i) {
    cache.store({.method = "m", .target = std::to_string(i), .owner = {}, .params = {}},
                {.body = json::Payload::trusted(std::string(1'000, ' ')), .until = {}});
    EXPECT_LE(cache.bytes(), 5'000U);
  }
  cache.store({.method = "m", .target = "huge", .owner = {}, .params = {}},
              {.body = json::Payload::trusted(std::string(6'000, ' ')), .until = {}});
  EXPECT_GT(cache.bytes(), 0U);
  cache.invalidate("m");
  EXPECT_EQ(cache.bytes(), 0U);
}

}  // namespace
}  // namespace fairlead::gateway::test::middleware_cache_test
