#include <fairlead/base/task_scope.hpp>
#include <fairlead/gateway/chain.hpp>
#include <fairlead/gateway/registry.hpp>
#include <fairlead/store/session_table.hpp>

#include "gateway/fixtures/unsolicited_server.hpp"
#include "gateway/upstream/upstream.hpp"

/// Data of one caller never reaches another: two principals, and two anonymous sessions, on one shared server.
namespace fairlead::gateway::test::caller_isolation_test {
namespace {

using session::Call;
using session::Notification;
using session::Reply;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

using Outcome = std::shared_ptr<Started<Result<Reply>>>;

/// Two callers `a` and `b` with the principals in the parameter.
struct CallerIsolation : testing::TestWithParam<std::pair<std::string, std::string>> {
  CallerIsolation() {
    options.name = "shared";
    options.client.revision = "2025-11-25";
    upstream.emplace(manual.loop(), client::Endpoint(server), options);
    for (auto* each : {&a, &b}) open_session(*each);
  }
  ~CallerIsolation() override {
    server.release();
    manual.poll();
    for (auto* each : {&a, &b, &again}) each->hook.reset();
    manual.run(upstream->stop());
    tasks.cancel();
    manual.run(tasks.join());
  }

  void open_session(TestClient& client) {
    client.hook =
        upstream->on_session_open({.key = client.key, .principal = client.principal, .peer = client, .tasks = tasks});
  }
  static Task<Result<Reply>> calling(session::Service* service, Call call) { co_return co_await service->call(call); }
  Call made(TestClient& client, const std::string& method, const std::string& params) {
    auto call = call_in("2025-11-25", method, params);
    call.context.session_key = client.key;
    call.context.principal = client.principal;
    call.context.id = jsonrpc::Id(1);
    call.context.peer = &client.back;
    call.context.progress_token = jsonrpc::Id("same");
    auto caller = std::make_shared<protocol::ClientIdentity>();
    caller->capabilities.roots.emplace();
    call.context.caller = caller;
    call.timeouts = session::Timeouts::endless();
    return call;
  }
  Outcome start(TestClient& client, const std::string& method, const std::string& params) {
    return manual.start(calling(&*upstream, made(client, method, params)));
  }
  Outcome use(TestClient& client, const std::string& tool, const std::string& more = "") {
    const auto secret = R"({"secret":"of )" + std::to_string(client.key) + "\"}";
    return start(client, "tools/call", R"({"name":")" + tool + R"(","arguments":)" + secret + more + "}");
  }
  std::shared_ptr<session::Service> behind(std::string_view step, ArgumentList arguments) {
    auto middleware = Registry::standard().make(step, std::move(arguments), manual.loop());
    EXPECT_TRUE(middleware) << middleware.error().message;
    return chain()
        .then(std::shared_ptr<Middleware>(std::move(*middleware)))
        .then(static_cast<session::Service&>(*upstream));
  }
  static std::string text(const Outcome& outcome) {
    if (!outcome->value) return "no answer";
    return *outcome->value ? std::string((**outcome->value).body.text()) : "!" + outcome->value->error().message;
  }

  ManualLoop manual;
  TaskScope tasks{manual.loop().executor, manual.log(), "test"};
  UnsolicitedServer server{manual};
  UpstreamOptions options;
  std::optional<Upstream> upstream;
  TestClient a{manual, GetParam().first, 1};
  TestClient b{manual, GetParam().second, 2};
  TestClient again{manual, GetParam().first, 3};  // `a` in another session, opened later.
};

/// Tests for principals only: an anonymous session may be a client that reconnected without ending its earlier session.
struct PrincipalIsolation : CallerIsolation {};

TEST_P(CallerIsolation, Finding_S4_AttributesNothingWhileSeveralAnonymousClientsCall) {
  const auto of_a = use(a, "hold"), of_b = use(b, "hold");
  server.send_request();
  server.send_log("of one of them");
  manual.poll();
  EXPECT_THAT(server.answers, ElementsAre(HasSubstr("several clients share this server")));
  for (const auto* each : {&a, &b}) EXPECT_THAT(each->all(), Not(Contains(HasSubstr("of one of them"))));
}

TEST_P(CallerIsolation, Finding_S4_RepliesAndProgressReachTheirOwnCaller) {
  const auto of_a = use(a, "quick"), of_b = use(b, "quick");
  EXPECT_THAT(text(of_a), HasSubstr("of 1"));
  EXPECT_THAT(text(of_b), HasSubstr("of 2"));
  EXPECT_THAT(a.back.notifications, ElementsAre(HasSubstr("of 1")));
  EXPECT_THAT(b.back.notifications, ElementsAre(HasSubstr("of 2")));
}

TEST_P(PrincipalIsolation, Finding_S4_DoesNotAttributeALateRequestToTheNextCaller) {
  use(a, "quick");
  const auto held = use(b, "hold");
  server.send_request();
  server.send_log("left behind by a");
  server.send_notification("notifications/vendor", R"({"of":"a"})");
  manual.poll();
  EXPECT_THAT(server.answers, ElementsAre(HasSubstr("several clients share this server")));
  EXPECT_THAT(b.all(), Not(Contains(HasSubstr("roots/list"))));
  for (const auto* each : {&a, &b}) EXPECT_THAT(each->all(), Not(Contains(HasSubstr("left behind"))));
  for (const auto* each : {&a, &b}) EXPECT_THAT(each->all(), Not(Contains(HasSubstr("vendor"))));
  EXPECT_TRUE(manual.log().contains("share: caller"));
}

TEST_P(PrincipalIsolation, Finding_P10_DoesNotSuggestASingleCallerToAServerThatHasOne) {
  for (auto* each : {&a, &b}) each->hook.reset();
  manual.run(upstream->stop());
  options.single_caller = true;
  upstream.reset();
  upstream.emplace(manual.loop(), client::Endpoint(server), options);
  use(a, "quick");
  const auto held = use(b, "hold");
  server.send_request();
  manual.poll();
  EXPECT_TRUE(manual.log().contains("so the gateway refused the request"));
  EXPECT_FALSE(manual.log().contains("share: caller"));
}

TEST_P(CallerIsolation, Finding_S4_DoesNotAttributeALateRequestWithoutCalls) {
  use(a, "quick");
  use(b, "quick");
  server.send_request();
  server.send_log("left behind");
  manual.poll();
  EXPECT_THAT(server.answers, ElementsAre(HasSubstr("several clients share this server")));
  for (const auto* each : {&a, &b}) EXPECT_THAT(each->received, IsEmpty());
  for (const auto* each : {&a, &b}) EXPECT_THAT(each->requests, IsEmpty());
}

TEST_P(PrincipalIsolation, Finding_S4_DoesNotAttributeALateRequestAfterItsCallerLeft) {
  use(a, "quick");
  a.hook.reset();
  const auto held = use(b, "hold");
  server.send_request();
  server.send_log("left behind by a");
  manual.poll();
  EXPECT_THAT(server.answers, ElementsAre(HasSubstr("several clients share this server")));
  EXPECT_THAT(b.all(), Not(Contains(HasSubstr("left behind"))));
}

TEST_P(CallerIsolation, Finding_S4_AttributesToTheSoleCaller) {
  manual.start(calling(&*upstream, call_in("2025-11-25", "tools/list")));
  server.send_log("no call yet");
  manual.poll();
  for (auto* each : {&a, &b}) {
    EXPECT_THAT(std::exchange(each->received, {}), ElementsAre(HasSubstr("no call yet")));
  }
  const auto held = use(a, "hold");
  server.send_request();
  server.send_log("about a");
  manual.poll();
  EXPECT_THAT(server.answers, ElementsAre(HasSubstr("file:///of/1")));
  EXPECT_THAT(a.back.notifications, Contains(HasSubstr("about a")));
  server.release();
  manual.poll();
  server.send_request();
  server.send_log("later");
  manual.poll();
  EXPECT_THAT(server.answers, ElementsAre(HasSubstr("file:///of/1"), HasSubstr("file:///of/1")));
  EXPECT_THAT(a.received, ElementsAre(HasSubstr("later")));
  EXPECT_THAT(b.all(), IsEmpty()) << "a session without calls gets nothing";
}

TEST_P(CallerIsolation, Finding_S4_AttributesToASoleCallerThatReconnects) {
  b.hook.reset();
  use(a, "quick");
  a.hook.reset();
  open_session(again);
  const auto held = use(again, "hold");
  server.send_request();
  manual.poll();
  EXPECT_THAT(server.answers, ElementsAre(HasSubstr("file:///of/3")));
}

TEST_P(CallerIsolation, Finding_S4_SeparatesTasksAndTheirStatus) {
  ASSERT_THAT(text(use(a, "job", R"(,"task":{})")), HasSubstr("t1"));
  ASSERT_THAT(text(use(b, "job", R"(,"task":{})")), HasSubstr("t2"));
  for (const auto* method : {"tasks/get", "tasks/result", "tasks/cancel"}) {
    const auto before = server.calls;
    EXPECT_THAT(text(start(b, method, R"({"taskId":"t1"})")), HasSubstr("unknown task")) << method;
    EXPECT_EQ(server.calls, before) << method;
    EXPECT_EQ(text(start(a, method, R"({"taskId":"t1"})")), "{}") << method;
  }
  EXPECT_EQ(text(start(b, "tasks/list", "{}")), R"({"tasks":[{"taskId":"t2"}]})");
  server.send_notification("notifications/tasks/status", R"({"taskId":"t1","status":"completed"})");
  server.send_notification("notifications/tasks/status", R"({"taskId":"unknown","status":"completed"})");
  manual.poll();
  EXPECT_THAT(a.received, ElementsAre(HasSubstr("t1")));
  EXPECT_THAT(b.received, IsEmpty());
}

TEST_P(CallerIsolation, Finding_S4_SeparatesSubscriptions) {
  EXPECT_EQ(text(start(a, "resources/subscribe", R"({"uri":"note://a"})")), "{}");
  EXPECT_EQ(text(start(b, "resources/subscribe", R"({"uri":"note://b"})")), "{}");
  server.send_notification("notifications/resources/updated", R"({"uri":"note://a"})");
  manual.poll();
  EXPECT_THAT(a.received, SizeIs(1));
  EXPECT_THAT(b.received, IsEmpty());
}

TEST_P(CallerIsolation, Finding_S20_TooManySubscriptionsOfOneSessionDoNotAffectTheOther) {
  const auto subscribe = [&](TestClient& client, std::size_t number) {
    return text(start(client, "resources/subscribe", R"({"uri":"note://)" + std::to_string(number) + "\"}"));
  };
  for (std::size_t i = 0; i < SubscriptionLimits().per_session; ++i) ASSERT_EQ(subscribe(a, i), "{}");
  EXPECT_THAT(subscribe(a, 9999), HasSubstr("the limit is 1024 with"));
  EXPECT_EQ(subscribe(b, 9999), "{}");
}

TEST_P(CallerIsolation, Finding_S15_HangingCallsOfOneCallerLeaveSlotsForTheOther) {
  for (auto* each : {&a, &b}) each->hook.reset();
  manual.run(upstream->stop());
  options.max_in_flight = 4;
  options.max_waiting = 4;
  upstream.reset();
  upstream.emplace(manual.loop(), client::Endpoint(server), options);
  for (auto* each : {&a, &b}) open_session(*each);
  std::vector<Outcome> hanging;
  for (int i = 0; i < 6; ++i) hanging.push_back(use(a, "hold"));
  EXPECT_THAT(text(use(a, "hold")), HasSubstr("3 of your calls already wait for the server 'shared'"));
  EXPECT_THAT(text(use(b, "quick")), HasSubstr("of 2"));
  server.release();
  manual.poll();
  for (const auto& each : hanging) EXPECT_THAT(text(each), HasSubstr("of 1"));
}

TEST_P(CallerIsolation, Finding_S6_SeparatesCachedResultsByCallerAndCredentials) {
  const auto cached = behind("cache", {{"", "60s"}, {"tool", "*"}});
  const auto send_request = [&](TestClient& client, const std::string& key) {
    auto call = made(client, "tools/call", R"({"name":"quick","arguments":{}})");
    call.context.request_headers =
        std::make_shared<const jsonrpc::MessageHeaders>(jsonrpc::MessageHeaders{{"X-Key", key}});
    const auto before = server.calls;
    manual.start(calling(cached.get(), std::move(call)));
    return server.calls > before;
  };
  EXPECT_TRUE(send_request(a, "1"));
  EXPECT_FALSE(send_request(a, "1")) << "cached";
  EXPECT_TRUE(send_request(b, "1")) << "not for another caller";
  EXPECT_TRUE(send_request(a, "2")) << "not with another key";
}

TEST_P(CallerIsolation, Finding_S15_CountsRateLimitsPerPrincipalAndForAllAnonymous) {
  const auto limited = behind("limit", {{"", "1/m"}});
  const auto send_request = [&](TestClient& client) {
    return text(manual.start(calling(limited.get(), made(client, "tools/call", R"({"name":"quick"})"))));
  };
  EXPECT_THAT(send_request(a), HasSubstr("content"));
  EXPECT_THAT(send_request(a), HasSubstr("called too often"));
  // A new anonymous session does not reset the limit.
  EXPECT_THAT(send_request(b), HasSubstr(b.principal.empty() ? "called too often" : "content"));
}

TEST_P(CallerIsolation, Finding_S15_SessionsOfOneCallerDoNotEvictTheOther) {
  struct Session {
    std::string name, owner;
    const std::string& id() const { return name; }
    const std::string& principal() const { return owner; }
    static bool busy() { return false; }
  };
  store::SessionTable<Session> sessions({.max_entries = 8});
  sessions.insert(std::make_shared<Session>(Session{"of b", b.principal}));
  sessions.find("of b");
  for (int i = 0; i < 100; ++i) {
    std::shared_ptr<Session> evicted;
    sessions.make_capacity(a.principal, evicted);
    sessions.insert(std::make_shared<Session>(Session{"of a " + std::to_string(i), a.principal}));
  }
  EXPECT_TRUE(sessions.find("of b"));
}

INSTANTIATE_TEST_SUITE_P(Principals, PrincipalIsolation, testing::Values(std::pair("anna", "ben")));
INSTANTIATE_TEST_SUITE_P(Principals, CallerIsolation, testing::Values(std::pair("anna", "ben")));
INSTANTIATE_TEST_SUITE_P(AnonymousSessions, CallerIsolation, testing::Values(std::pair("", "")));

}  // namespace
}  // namespace fairlead::gateway::test::caller_isolation_test
