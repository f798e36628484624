#include <fairlead/gateway/auth.hpp>

#include <fairlead/base/task_scope.hpp>

#include "gateway/fixtures/manual_clock_fixture.hpp"

namespace fairlead::gateway::test::middleware_auth_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct AuthTest : ManualClockTest {
  struct Silent final : Service {
    Task<Result<Reply>> call(Call&) override { co_return reply("{}"); }
    Task<void> notify(Notification&) override { co_return; }
  };
  Silent client;
  TaskScope tasks{io.get_executor(), log, "test"};

  std::shared_ptr<Service> guarded(std::vector<std::string> who = {}) {
    auto made =
        authenticate({.keys = {{"ann", auth::sha256_hex("secret-of-ann")}, {"bob", auth::sha256_hex("secret-of-bob")}},
                      .callers = std::move(who)});
    EXPECT_TRUE(made);
    return chain().then(std::shared_ptr<Middleware>(std::move(*made))).then(server);
  }
  static Task<void> notify(Service* service) {
    Notification notice{.method = "notifications/roots/list_changed", .session_key = 5};
    co_await service->notify(notice);
  }
  static Call with_key(const std::string& key, const std::string& method = "tools/call") {
    return call_of(method, R"({"name":"t","_meta":{"fairlead/authorization":")" + key + R"(","x": 1.0}})");
  }
};

TEST_F(AuthTest, RefusesUnauthenticatedCallers) {
  const auto answer = start(guarded(), tool_call("t"));
  EXPECT_EQ((*answer)->error().code, 401);
  EXPECT_THAT(text(guarded(), with_key("Bearer wrong")), HasSubstr("is unknown"));
  EXPECT_THAT(text(guarded(), call_of("initialize")), StartsWith("!"));
  EXPECT_THAT(text(guarded(), call_of("tools/list")), StartsWith("!"));
  EXPECT_EQ(server.calls.size(), 0U);
}

TEST_F(AuthTest, AcceptsCallersThatTheListenerAuthenticated) {
  auto call = tool_call("t");
  call.context.principal = "carl";
  EXPECT_THAT(text(guarded(), std::move(call)), StartsWith("{"));
}

TEST_F(AuthTest, RemovesTheKeyFromTheRequest) {
  std::string who;
  server.on_call = [&](Call& call) {
    who = call.context.principal;
    return Echo::echo(call);
  };
  EXPECT_EQ(text(guarded(), with_key("Bearer secret-of-ann")), R"({"name":"t","_meta":{"x":1.0}})");
  EXPECT_EQ(who, "ann");
  EXPECT_THAT(text(guarded(), with_key("secret-of-bob")), StartsWith("{"));
  EXPECT_EQ(who, "bob");
}

TEST_F(AuthTest, AcceptsTheKeyOfTheHandshakeForTheSession) {
  const auto service = guarded();
  auto hook = service->on_session_open({.key = 5, .peer = client, .tasks = tasks});
  auto hello = with_key("secret-of-ann", "initialize");
  hello.context.session_key = 5;
  EXPECT_THAT(text(service, std::move(hello)), StartsWith("{"));
  const auto later = [&](std::uint64_t session_number) {
    auto call = tool_call("t");
    call.context.session_key = session_number;
    return text(service, std::move(call));
  };
  EXPECT_THAT(later(5), StartsWith("{"));
  EXPECT_THAT(later(6), StartsWith("!"));
  hook.reset();
  EXPECT_THAT(later(5), StartsWith("!"));
}

TEST_F(AuthTest, AllowsOnlyTheNamedCallers) {
  EXPECT_THAT(text(guarded({"a*"}), with_key("secret-of-ann")), StartsWith("{"));
  const auto answer = start(guarded({"a*"}), with_key("secret-of-bob"));
  EXPECT_EQ((*answer)->error().code, 403);
}

TEST_F(AuthTest, AnUnknownKeyDoesNotReuseTheSessionsPrincipal) {
  const auto service = guarded();
  auto hook = service->on_session_open({.key = 5, .principal = "ann", .peer = client, .tasks = tasks});
  auto call = with_key("wrong");
  call.context.session_key = 5;
  EXPECT_THAT(text(service, std::move(call)), StartsWith("!"));
}

TEST_F(AuthTest, BlocksNotificationsOfUnauthenticatedSessions) {
  const auto service = guarded();
  Service* peer = nullptr;
  server.on_open = [&](session::SessionRef& opened) {
    peer = &*opened.peer;
    return nullptr;
  };
  const auto hook = service->on_session_open({.key = 5, .peer = client, .tasks = tasks});
  fairlead::test::spawn(io, notify(service.get()));
  settle();
  EXPECT_TRUE(server.notices.empty());
  ASSERT_NE(peer, nullptr);
}

TEST_F(AuthTest, RequiresAnExistingKeyFile) {
  EXPECT_THAT(complaint("auth", {{"keys_file", "nowhere"}}), HasSubstr("keys_file: "));
  EXPECT_EQ(complaint("auth", {}), "");
}

}  // namespace
}  // namespace fairlead::gateway::test::middleware_auth_test
