#include "gateway/control/tap_service.hpp"

#include <fairlead/json/object_edit.hpp>

#include "gateway/fixtures/manual_clock_fixture.hpp"

namespace fairlead::gateway::tap_service_test {
namespace {

using session::Call;
using session::Reply;
using test::tool_call;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// A client channel that accepts everything.
struct AcceptingChannel final : session::PeerChannel {
  Task<Result<Reply>> request(std::string, json::Payload) override { co_return test::reply(R"({"roots":[]})"); }
  Task<Result<void>> notify(std::string, json::Payload) override { return Result<void>(); }
};

struct TapServiceTest : test::ManualClockTest {
  std::shared_ptr<TapHub> tap = std::make_shared<TapHub>(loop());
  TapService point{server, loop(), "gateway", std::make_shared<ObserverList>(), tap};

  std::shared_ptr<TapSubscriber> subscribe(const std::vector<std::string>& words = {}, TapLimits limits = {}) {
    auto filter = TapFilter::read(words);
    EXPECT_TRUE(filter) << filter.error().message;
    return tap->subscribe(std::move(*filter), limits);
  }

  Call from_caller(Call call, std::string principal = "alice") {
    call.context.session_key = 7;
    call.context.principal = std::move(principal);
    call.context.id = jsonrpc::Id(++ids);
    return call;
  }
  std::string make(Call call) {
    return text(std::shared_ptr<session::Service>(std::shared_ptr<void>(), &point), std::move(call));
  }

  static std::vector<std::string> texts(TapSubscriber& subscriber) {
    std::vector<std::string> all;
    while (const auto next_line = subscriber.next()) all.push_back(*next_line->text);
    return all;
  }
  /// Each line as kind, method, target and status.
  static std::vector<std::string> outline(TapSubscriber& subscriber) {
    std::vector<std::string> all;
    for (const auto& text : texts(subscriber)) {
      const auto line = json::decode<TapLine>(text);
      EXPECT_TRUE(line) << text;
      std::string summary(json::enum_name(line->kind));
      for (const auto& part : {line->method, line->tool, line->status}) summary += part ? " " + *part : "";
      all.push_back(std::move(summary));
    }
    return all;
  }

  std::int64_t ids = 0;
};

TEST_F(TapServiceTest, HasNoSubscribersAtFirst) {
  EXPECT_FALSE(tap->has_subscribers());
  auto subscriber = subscribe();
  EXPECT_TRUE(tap->has_subscribers());
  subscriber.reset();
  EXPECT_FALSE(tap->has_subscribers());
}

TEST_F(TapServiceTest, ForwardsMessagesUnchanged) {
  const auto before = make(from_caller(tool_call("search", R"({"q":"x"})")));
  const auto subscriber = subscribe();
  EXPECT_EQ(make(from_caller(tool_call("search", R"({"q":"x"})"))), before);
  EXPECT_EQ(server.calls[0], server.calls[1]);
}

TEST_F(TapServiceTest, PublishesACallAndItsReply) {
  const auto subscriber = subscribe();
  make(from_caller(tool_call("search")));
  EXPECT_THAT(outline(*subscriber), ElementsAre("call tools/call search", "reply tools/call search ok"));
}

TEST_F(TapServiceTest, PublishesCallerTargetAndTime) {
  const auto subscriber = subscribe({"kind:reply"});
  server.on_call = [this](Call&) {
    clock.advance(std::chrono::milliseconds{25});
    return answering(R"({"content":[]})");
  };
  make(from_caller(tool_call("search")));
  const auto line = json::decode<TapLine>(texts(*subscriber).at(0));
  ASSERT_TRUE(line);
  EXPECT_EQ(line->endpoint, "gateway");
  EXPECT_EQ(line->session, 7U);
  EXPECT_EQ(line->caller, "alice");
  EXPECT_EQ(line->server, "echo");
  EXPECT_EQ(line->id->to_json(), "1");
  EXPECT_EQ(line->ms, 25);
  EXPECT_EQ(line->bytes, 14U);
  EXPECT_EQ(line->result->text(), R"({"content":[]})");
  EXPECT_EQ(line->time.size(), std::string("2026-11-16T17:04:05.120Z").size());
}

TEST_F(TapServiceTest, PublishesOutcomes) {
  const auto subscriber = subscribe({"kind:reply"});
  const auto ends = [&](std::function<Task<Result<Reply>>(Call&)> how) {
    server.on_call = std::move(how);
    make(from_caller(tool_call("search")));
    return json::decode<TapLine>(texts(*subscriber).at(0))->status.value();
  };
  EXPECT_EQ(ends([](Call&) { return answering(R"({"isError":true,"content":[]})"); }), "tool_error");
  EXPECT_EQ(ends([](Call&) { return failing({.kind = ErrorKind::refused, .message = "no", .code = -32602}); }),
            "error");
  EXPECT_EQ(ends([](Call&) { return failing({.kind = ErrorKind::timeout, .message = "late"}); }), "timeout");
  EXPECT_EQ(ends([](Call&) { return failing({.kind = ErrorKind::closed, .message = "gone"}); }), "closed");
}

TEST_F(TapServiceTest, PublishesCancelledCalls) {
  const auto subscriber = subscribe();
  server.on_call = [this](Call&) { return never(); };
  make(from_caller(tool_call("search")));
  calls.cancel();
  settle();
  EXPECT_THAT(outline(*subscriber), ElementsAre("call tools/call search", "reply tools/call search cancelled"));
}

TEST_F(TapServiceTest, PublishesServerCallsAndNotificationsDuringACall) {
  const auto subscriber = subscribe({"tool:search", "-kind:call"});
  AcceptingChannel client;
  server.on_call = [](Call& call) {
    static_cast<void>(call.context.peer->notify("notifications/progress", json::Payload::trusted(R"({"progress":1})")));
    return call.context.peer->request("roots/list", json::Payload::trusted("{}"));
  };
  auto call = from_caller(tool_call("search"));
  call.context.peer = &client;
  make(std::move(call));
  EXPECT_THAT(outline(*subscriber),
              ElementsAre("server_notification notifications/progress search", "server_call roots/list search",
                          "server_reply roots/list search ok", "reply tools/call search ok"));
}

TEST_F(TapServiceTest, ShowsCallAndReplyOfAFailure) {
  const auto subscriber = subscribe({"status:error"});
  make(from_caller(tool_call("fine")));
  EXPECT_THAT(outline(*subscriber), IsEmpty());
  fail_with({.kind = ErrorKind::refused, .message = "no", .code = -32602});
  make(from_caller(tool_call("wrong")));
  EXPECT_THAT(outline(*subscriber), ElementsAre("call tools/call wrong", "reply tools/call wrong error"));
}

TEST_F(TapServiceTest, RedactsLines) {
  tap->redactor().add_secrets({"hunter2-secret"});
  const auto subscriber = subscribe();
  make(from_caller(tool_call("login", R"({"password":"open sesame","note":"it is hunter2-secret"})")));
  for (const auto& text : texts(*subscriber)) {
    EXPECT_THAT(text, AllOf(Not(HasSubstr("open sesame")), Not(HasSubstr("hunter2")), HasSubstr("[redacted]")));
    EXPECT_TRUE(json::Payload::parse(text)) << text;
  }
}

TEST_F(TapServiceTest, KeepsNamesOfArgumentsInLists) {
  tap->redactor().add_secrets({"hunter2-secret"});
  const auto subscriber = subscribe({"kind:reply"});
  server.on_call = [](Call&) {
    return answering(R"({"tools":[{"name":"login","description":"hunter2-secret",)"
                     R"("inputSchema":{"properties":{"password":{"type":"string"}}}}]})");
  };
  make(from_caller(test::call_of("tools/list")));
  EXPECT_THAT(texts(*subscriber),
              ElementsAre(AllOf(HasSubstr(R"("password":{"type":"string"})"), Not(HasSubstr("hunter2")))));
}

TEST_F(TapServiceTest, DropsAndCountsLinesOfSlowSubscribers) {
  const auto slow = subscribe({"kind:call"}, {.lines = 2});
  const auto quick = subscribe({"kind:call"});
  for (int i = 0; i < 5; ++i) EXPECT_NE(make(from_caller(tool_call("search"))), "…");
  EXPECT_EQ(texts(*quick).size(), 5U);
  EXPECT_EQ(slow->lost(), 3U);
  EXPECT_EQ(texts(*slow).size(), 2U);
  make(from_caller(tool_call("search")));
  const auto next = slow->next();
  ASSERT_TRUE(next);
  EXPECT_EQ(next->lost, 3U);
  EXPECT_EQ(slow->lost(), 0U);
}

TEST_F(TapServiceTest, LimitsTheQueueInBytes) {
  const auto subscriber = subscribe({"kind:call"}, {.bytes = 2000});
  const auto large = R"({"text":")" + std::string(5000, 'x') + R"("})";
  make(from_caller(tool_call("one", large)));
  make(from_caller(tool_call("two", large)));
  EXPECT_EQ(subscriber->lost(), 1U);
  EXPECT_THAT(outline(*subscriber), ElementsAre("call tools/call one"));
}

TEST_F(TapServiceTest, LimitsTheHeldCalls) {
  const auto subscriber = subscribe({"status:error"}, {.lines = 2});
  server.on_call = [this](Call&) { return never(); };
  for (int i = 0; i < 4; ++i) make(from_caller(tool_call("search")));
  EXPECT_EQ(subscriber->lost(), 2U);
}

TEST_F(TapServiceTest, ShowsSessionsOpenedBeforeTheSubscription) {
  const session::Service* peer = nullptr;
  server.on_open = [&](session::SessionRef& opened) {
    peer = &*opened.peer;
    return nullptr;
  };
  test::Echo client;
  const auto hook = point.on_session_open({.key = 7, .principal = "alice", .peer = client, .tasks = calls});
  const auto subscriber = subscribe();
  session::Notification news{.method = "notifications/tools/list_changed"};
  calls.spawn(const_cast<session::Service*>(peer)->notify(news));
  settle();
  EXPECT_THAT(outline(*subscriber), ElementsAre("server_notification notifications/tools/list_changed"));
  EXPECT_THAT(client.notices, ElementsAre("notifications/tools/list_changed"));
}

}  // namespace
}  // namespace fairlead::gateway::tap_service_test
