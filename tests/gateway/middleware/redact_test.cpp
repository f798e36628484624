#include <fairlead/gateway/redact.hpp>

#include <fairlead/base/task_scope.hpp>
#include <fairlead/gateway/audit_log.hpp>

#include "gateway/fixtures/manual_clock_fixture.hpp"

namespace fairlead::gateway::test::middleware_redact_test {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct RedactTest : ManualClockTest {
  void serve(std::string body) {
    server.on_call = [body](Call&) { return answering(body); };
  }
  std::string last_line() const { return log.lines().empty() ? "" : log.lines().back().message; }
};

TEST_F(RedactTest, RedactsConfiguredAndKnownSecrets) {
  serve(
      R"({"content":[{"type":"text","text":"the key is hunter2-and-more"}],"structuredContent":{"password":"x y z","n": 1.0}})");
  const auto redacted = text(step("redact", {{"secret", "hunter2-and-more"}}).then(server), tool_call("t"));
  EXPECT_THAT(redacted, AllOf(Not(HasSubstr("hunter2")), Not(HasSubstr("x y z")), HasSubstr(R"("n": 1.0)")));
  EXPECT_TRUE(json::Payload::parse(redacted));
}

TEST_F(RedactTest, KeepsTextWithoutSecrets) {
  serve(R"({ "content":[],"n":1.50 })");
  EXPECT_EQ(text(step("redact", {}).then(server), tool_call("t")), R"({ "content":[],"n":1.50 })");
}

TEST_F(RedactTest, RedactsConfiguredNames) {
  serve(R"({"badge":"b-1234"})");
  EXPECT_THAT(text(step("redact", {{"key", "badge"}}).then(server), tool_call("t")), Not(HasSubstr("b-1234")));
}

TEST_F(RedactTest, RedactsErrors) {
  fail_with({.kind = ErrorKind::refused,
             .message = "no: hunter2-and-more",
             .code = -1,
             .data = R"({"v":"hunter2-and-more"})"});
  const auto answer = start(step("redact", {{"secret", "hunter2-and-more"}}).then(server), tool_call("t"));
  EXPECT_THAT((*answer)->error().message, Not(HasSubstr("hunter2")));
  EXPECT_THAT((*answer)->error().data, Not(HasSubstr("hunter2")));
}

TEST_F(RedactTest, KeepsNamesInSchemas) {
  const auto tools = R"({"tools":[{"name":"login","inputSchema":{"properties":{"password":{"type":"string"}}}}]})";
  serve(tools);
  EXPECT_EQ(text(step("redact", {}).then(server), call_of("tools/list")), tools);
}

TEST_F(RedactTest, RedactsRequestsOnlyOnRequest) {
  EXPECT_THAT(text(step("redact", {{"secret", "hunter2-and-more"}}).then(server), tool_call("hunter2-and-more")),
              Not(HasSubstr("hunter2")));
  EXPECT_THAT(server.calls.back(), HasSubstr("hunter2"));
  text(step("redact", {{"secret", "hunter2-and-more"}, {"requests", "yes"}}).then(server),
       tool_call("t", R"({"a":"hunter2-and-more"})"));
  EXPECT_THAT(server.calls.back(), Not(HasSubstr("hunter2")));
}

TEST_F(RedactTest, RefusesShortSecretsWithoutQuotingThem) {
  EXPECT_THAT(complaint("redact", {{"secret", "abc"}}), AllOf(HasSubstr("is shorter than 4"), Not(HasSubstr("abc"))));
}

struct AuditTest : RedactTest {
  static Task<void> waiting(std::shared_ptr<Service> service) {
    auto call = tool_call("t");
    co_await service->call(call);
  }
};

TEST_F(AuditTest, LogsCallerTargetOutcomeAndTime) {
  const auto service = step("log", {}).then(server);
  server.on_call = [this](Call&) {
    clock.advance(milliseconds{25});
    return answering(R"({"content":[],"isError":true})");
  };
  auto call = tool_call("search");
  call.context.principal = "ann";
  call.context.session_key = 4;
  text(service, std::move(call));
  EXPECT_EQ(last_line(),
            "caller=ann session=4 method=tools/call target=search server=echo transport=ok error=0 isError=true "
            "ms=25.000 bytes=29");
  EXPECT_EQ(log.lines().size(), 1U);
}

TEST_F(AuditTest, WritesJson) {
  fail_with({.kind = ErrorKind::refused, .message = "no \"x\"", .code = -32602});
  text(step("log", {{"", "outer"}, {"format", "json"}}).then(server), tool_call("a b"));
  EXPECT_EQ(last_line(),
            R"({"caller":"-","session":0,"method":"tools/call","target":"a b","server":"echo","transport":"ok",)"
            R"("error":-32602,"isError":false,"ms":0.000,"bytes":0,"message":"no \"x\""})");
  EXPECT_EQ(log.lines().back().component, "outer");
}

TEST_F(AuditTest, LogsTransportFailures) {
  fail_with({.kind = ErrorKind::timeout, .message = "late"});
  text(step("log", {}).then(server), tool_call("t"));
  EXPECT_THAT(last_line(), HasSubstr("transport=timeout error=408"));
}

TEST_F(AuditTest, LogsRedactedParamsOnRequest) {
  const auto arguments = R"({"password":"hunter2","q":"cats"})";
  text(step("log", {}).then(server), tool_call("t", arguments));
  EXPECT_THAT(last_line(), Not(HasSubstr("cats")));
  text(step("log", {{"params", "yes"}}).then(server), tool_call("t", arguments));
  EXPECT_THAT(last_line(), AllOf(HasSubstr("cats"), Not(HasSubstr("hunter2"))));
}

TEST_F(AuditTest, LogsCancelledCalls) {
  server.on_call = [this](Call&) { return never(); };
  const auto service = step("log", {}).then(server);
  {
    TaskScope scope(io.get_executor(), log, "test");
    scope.spawn(waiting(service));
    settle();
    scope.cancel();
    settle();
  }
  EXPECT_THAT(last_line(), HasSubstr("transport=cancelled"));
}

}  // namespace
}  // namespace fairlead::gateway::test::middleware_redact_test
