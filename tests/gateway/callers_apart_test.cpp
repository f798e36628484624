#include <fairlead/base/task_scope.hpp>
#include <fairlead/gateway/chain.hpp>
#include <fairlead/gateway/registry.hpp>
#include <fairlead/store/directory.hpp>

#include "gateway/upstream/upstream.hpp"
#include "talking_server.hpp"

/// What belongs to one caller never reaches another: two principals, and two sessions without one, on one shared
/// server.
namespace fairlead::gateway::test::callers_apart_test {
namespace {

using session::Call;
using session::Notice;
using session::Reply;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

using Outcome = std::shared_ptr<Started<Result<Reply>>>;

/// Two callers, `a` and `b`, by the names in the parameter.
struct CallersApart : testing::TestWithParam<std::pair<std::string, std::string>> {
  CallersApart() {
    options.name = "shared";
    options.client.revision = "2025-11-25";
    upstream.emplace(manual.loop(), client::Endpoint(server), options);
    for (auto* each : {&a, &b}) enter(*each);
  }
  ~CallersApart() override {
    server.release();
    manual.poll();
    for (auto* each : {&a, &b, &again}) each->place.reset();
    manual.run(upstream->stop());
    tasks.cancel();
    manual.run(tasks.join());
  }

  void enter(Someone& someone) {
    someone.place = upstream->attend({.key = someone.key,
                                      .principal = someone.principal,
                                      .peer = someone,
                                      .executor = manual.loop().executor,
                                      .tasks = tasks});
  }
  static Task<Result<Reply>> calling(session::Service* service, Call call) { co_return co_await service->call(call); }
  Call made(Someone& someone, const std::string& method, const std::string& params) {
    auto call = call_in("2025-11-25", method, params);
    call.context.conversation = someone.key;
    call.context.principal = someone.principal;
    call.context.id = jsonrpc::Id(1);
    call.context.back = &someone.back;
    call.context.progress_token = jsonrpc::Id("same");
    auto caller = std::make_shared<protocol::Caller>();
    caller->capabilities.roots.emplace();
    call.context.caller = caller;
    call.patience = session::Patience::endless();
    return call;
  }
  Outcome start(Someone& someone, const std::string& method, const std::string& params) {
    return manual.start(calling(&*upstream, made(someone, method, params)));
  }
  Outcome use(Someone& someone, const std::string& tool, const std::string& more = "") {
    const auto secret = R"({"secret":"of )" + std::to_string(someone.key) + "\"}";
    return start(someone, "tools/call", R"({"name":")" + tool + R"(","arguments":)" + secret + more + "}");
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
  TalkingServer server{manual};
  UpstreamOptions options;
  std::optional<Upstream> upstream;
  Someone a{manual, GetParam().first, 1};
  Someone b{manual, GetParam().second, 2};
  Someone again{manual, GetParam().first, 3};  // `a` in another session; not there to begin with.
};

/// What holds where callers are known by name only: a session without a principal may be the client of another one,
/// come back without having ended it.
struct PrincipalsApart : CallersApart {};

TEST_P(CallersApart, Finding_S4_WithoutPrincipalsNothingIsAttributedWhileSeveralCall) {
  const auto of_a = use(a, "hold"), of_b = use(b, "hold");
  server.ask();
  server.say_log("of one of them");
  manual.poll();
  EXPECT_THAT(server.answers, ElementsAre(HasSubstr("several clients share this server")));
  for (const auto* each : {&a, &b}) EXPECT_THAT(each->all(), Not(Contains(HasSubstr("of one of them"))));
}

TEST_P(CallersApart, Finding_S4_AnswersAndProgressOfTheSameTokenReachTheirOwnCaller) {
  const auto of_a = use(a, "quick"), of_b = use(b, "quick");
  EXPECT_THAT(text(of_a), HasSubstr("of 1"));
  EXPECT_THAT(text(of_b), HasSubstr("of 2"));
  EXPECT_THAT(a.back.told, ElementsAre(HasSubstr("of 1")));
  EXPECT_THAT(b.back.told, ElementsAre(HasSubstr("of 2")));
}

TEST_P(PrincipalsApart, Finding_S4_WhatACallLeftBehindIsNotPutToWhoHappensToCallNow) {
  use(a, "quick");
  const auto held = use(b, "hold");
  server.ask();
  server.say_log("left behind by a");
  server.say("notifications/vendor", R"({"of":"a"})");
  manual.poll();
  EXPECT_THAT(server.answers, ElementsAre(HasSubstr("several clients share this server")));
  EXPECT_THAT(b.all(), Not(Contains(HasSubstr("roots/list"))));
  for (const auto* each : {&a, &b}) EXPECT_THAT(each->all(), Not(Contains(HasSubstr("left behind"))));
  for (const auto* each : {&a, &b}) EXPECT_THAT(each->all(), Not(Contains(HasSubstr("vendor"))));
  EXPECT_TRUE(manual.log().contains("share: caller"));
}

TEST_P(CallersApart, Finding_S4_NeitherIsItWhenNothingIsUnderWay) {
  use(a, "quick");
  use(b, "quick");
  server.ask();
  server.say_log("left behind");
  manual.poll();
  EXPECT_THAT(server.answers, ElementsAre(HasSubstr("several clients share this server")));
  for (const auto* each : {&a, &b}) EXPECT_THAT(each->heard, IsEmpty());
  for (const auto* each : {&a, &b}) EXPECT_THAT(each->asked, IsEmpty());
}

TEST_P(PrincipalsApart, Finding_S4_NorWhenWhoCausedItHasGone) {
  use(a, "quick");
  a.place.reset();
  const auto held = use(b, "hold");
  server.ask();
  server.say_log("left behind by a");
  manual.poll();
  EXPECT_THAT(server.answers, ElementsAre(HasSubstr("several clients share this server")));
  EXPECT_THAT(b.all(), Not(Contains(HasSubstr("left behind"))));
}

TEST_P(CallersApart, Finding_S4_WhoAloneHasUsedTheServerIsAskedAndTold) {
  manual.start(calling(&*upstream, call_in("2025-11-25", "tools/list")));
  server.say_log("nobody has called yet");
  manual.poll();
  for (auto* each : {&a, &b}) {
    EXPECT_THAT(std::exchange(each->heard, {}), ElementsAre(HasSubstr("nobody has called yet")));
  }
  const auto held = use(a, "hold");
  server.ask();
  server.say_log("about a");
  manual.poll();
  EXPECT_THAT(server.answers, ElementsAre(HasSubstr("file:///of/1")));
  EXPECT_THAT(a.back.told, Contains(HasSubstr("about a")));
  server.release();
  manual.poll();
  server.ask();
  server.say_log("later");
  manual.poll();
  EXPECT_THAT(server.answers, ElementsAre(HasSubstr("file:///of/1"), HasSubstr("file:///of/1")));
  EXPECT_THAT(a.heard, ElementsAre(HasSubstr("later")));
  EXPECT_THAT(b.all(), IsEmpty()) << "who only listens hears nothing of it";
}

TEST_P(CallersApart, Finding_S4_WhoComesBackAloneIsServedAsBefore) {
  b.place.reset();
  use(a, "quick");
  a.place.reset();
  enter(again);
  const auto held = use(again, "hold");
  server.ask();
  manual.poll();
  EXPECT_THAT(server.answers, ElementsAre(HasSubstr("file:///of/3")));
}

TEST_P(CallersApart, Finding_S4_TasksAndTheirNewsAreTheirOwn) {
  ASSERT_THAT(text(use(a, "job", R"(,"task":{})")), HasSubstr("t1"));
  ASSERT_THAT(text(use(b, "job", R"(,"task":{})")), HasSubstr("t2"));
  for (const auto* method : {"tasks/get", "tasks/result", "tasks/cancel"}) {
    const auto before = server.calls;
    EXPECT_THAT(text(start(b, method, R"({"taskId":"t1"})")), HasSubstr("no such task")) << method;
    EXPECT_EQ(server.calls, before) << method;
    EXPECT_EQ(text(start(a, method, R"({"taskId":"t1"})")), "{}") << method;
  }
  EXPECT_EQ(text(start(b, "tasks/list", "{}")), R"({"tasks":[{"taskId":"t2"}]})");
  server.say("notifications/tasks/status", R"({"taskId":"t1","status":"completed"})");
  server.say("notifications/tasks/status", R"({"taskId":"of nobody","status":"completed"})");
  manual.poll();
  EXPECT_THAT(a.heard, ElementsAre(HasSubstr("t1")));
  EXPECT_THAT(b.heard, IsEmpty());
}

TEST_P(CallersApart, Finding_S4_SubscriptionsAreTheirOwn) {
  EXPECT_EQ(text(start(a, "resources/subscribe", R"({"uri":"note://a"})")), "{}");
  EXPECT_EQ(text(start(b, "resources/subscribe", R"({"uri":"note://b"})")), "{}");
  server.say("notifications/resources/updated", R"({"uri":"note://a"})");
  manual.poll();
  EXPECT_THAT(a.heard, SizeIs(1));
  EXPECT_THAT(b.heard, IsEmpty());
}

TEST_P(CallersApart, Finding_S15_ACallerWhoseCallsHangLeavesPlacesForTheOther) {
  for (auto* each : {&a, &b}) each->place.reset();
  manual.run(upstream->stop());
  options.max_in_flight = 4;
  options.max_waiting = 4;
  upstream.reset();
  upstream.emplace(manual.loop(), client::Endpoint(server), options);
  for (auto* each : {&a, &b}) enter(*each);
  std::vector<Outcome> hanging;
  for (int i = 0; i < 6; ++i) hanging.push_back(use(a, "hold"));
  EXPECT_THAT(text(use(a, "hold")), HasSubstr("3 calls of yours wait for the server 'shared' already"));
  EXPECT_THAT(text(use(b, "quick")), HasSubstr("of 2"));
  server.release();
  manual.poll();
  for (const auto& each : hanging) EXPECT_THAT(text(each), HasSubstr("of 1"));
}

TEST_P(CallersApart, Finding_S6_CachedResultsAreTheirOwnAndThoseOfTheirCredentials) {
  const auto cached = behind("cache", {{"", "60s"}, {"tool", "*"}});
  const auto ask = [&](Someone& someone, const std::string& key) {
    auto call = made(someone, "tools/call", R"({"name":"quick","arguments":{}})");
    call.context.luggage = std::make_shared<const jsonrpc::Luggage>(jsonrpc::Luggage{{"X-Key", key}});
    const auto before = server.calls;
    manual.start(calling(cached.get(), std::move(call)));
    return server.calls > before;
  };
  EXPECT_TRUE(ask(a, "1"));
  EXPECT_FALSE(ask(a, "1")) << "it is used again";
  EXPECT_TRUE(ask(b, "1")) << "but for nobody else,";
  EXPECT_TRUE(ask(a, "2")) << "nor with another key";
}

TEST_P(CallersApart, Finding_S15_PlacesInLimitsAreThoseOfAPrincipalAndOfAllWithoutOne) {
  const auto limited = behind("limit", {{"", "1/m"}});
  const auto ask = [&](Someone& someone) {
    return text(manual.start(calling(limited.get(), made(someone, "tools/call", R"({"name":"quick"})"))));
  };
  EXPECT_THAT(ask(a), HasSubstr("content"));
  EXPECT_THAT(ask(a), HasSubstr("called too often"));
  // A new session without a principal is no new allowance.
  EXPECT_THAT(ask(b), HasSubstr(b.principal.empty() ? "called too often" : "content"));
}

TEST_P(CallersApart, Finding_S15_SessionsThatOneOpensEndNoneThatTheOtherUses) {
  struct Session {
    std::string name, owner;
    const std::string& id() const { return name; }
    const std::string& principal() const { return owner; }
    static bool busy() { return false; }
  };
  store::Directory<Session> sessions({.max_entries = 8});
  sessions.insert(std::make_shared<Session>(Session{"of b", b.principal}));
  sessions.find("of b");
  for (int i = 0; i < 100; ++i) {
    std::shared_ptr<Session> evicted;
    sessions.make_room(a.principal, evicted);
    sessions.insert(std::make_shared<Session>(Session{"of a " + std::to_string(i), a.principal}));
  }
  EXPECT_TRUE(sessions.find("of b"));
}

INSTANTIATE_TEST_SUITE_P(Principals, PrincipalsApart, testing::Values(std::pair("anna", "ben")));
INSTANTIATE_TEST_SUITE_P(Principals, CallersApart, testing::Values(std::pair("anna", "ben")));
INSTANTIATE_TEST_SUITE_P(AnonymousSessions, CallersApart, testing::Values(std::pair("", "")));

}  // namespace
}  // namespace fairlead::gateway::test::callers_apart_test
