#include "gateway/observe/observing_middleware.hpp"

#include <stdexcept>

#include "gateway/fixtures/manual_clock_fixture.hpp"

namespace fairlead::gateway::test::observing_middleware_test {
namespace {

using std::chrono::milliseconds;

/// Stores all records.
struct RecordingObserver final : Observer {
  void on_start(Call&, CallRecord& record) override { begun.push_back(record); }
  void on_end(Call&, const CallRecord& record) override { seen.push_back(record); }

  std::vector<CallRecord> begun;
  std::vector<CallRecord> seen;
};

struct ObservingMiddlewareTest : ManualClockTest {
  ObservingMiddlewareTest() { observers->add(witness); }

  std::shared_ptr<Service> watched(ObservationPoint post = {}) {
    return chain().then(std::make_shared<ObservingMiddleware>(observers, clock, std::move(post))).then(server);
  }
  const CallRecord& last() const { return witness->seen.back(); }
  void serve(std::string body) {
    server.on_call = [body](Call&) { return answering(body); };
  }
  static Task<Result<Reply>> throwing() {
    throw std::runtime_error("a secret");
    co_return reply("{}");
  }

  std::shared_ptr<ObserverList> observers = std::make_shared<ObserverList>();
  std::shared_ptr<RecordingObserver> witness = std::make_shared<RecordingObserver>();
};

TEST_F(ObservingMiddlewareTest, ReportsCallerTargetAndTime) {
  server.on_call = [this](Call&) {
    clock.advance(milliseconds{25});
    return answering(R"({"content":[]})");
  };
  auto call = tool_call("search", R"({"a":1})");
  call.context.principal = "ann";
  call.context.session_key = 4;
  text(watched({.hop = Hop::server, .server = "web"}), std::move(call));
  ASSERT_EQ(witness->seen.size(), 1U);
  EXPECT_EQ(last().hop, Hop::server);
  EXPECT_EQ(last().server, "web");
  EXPECT_EQ(last().method, "tools/call");
  EXPECT_EQ(last().target, "search");
  EXPECT_EQ(last().caller, "ann");
  EXPECT_EQ(last().session_key, 4U);
  EXPECT_EQ(last().end - last().start, milliseconds{25});
  EXPECT_EQ(last().bytes_in, std::string_view(R"({"name":"search","arguments":{"a":1}})").size());
  EXPECT_EQ(last().bytes_out, std::string_view(R"({"content":[]})").size());
  EXPECT_FALSE(last().outcome.failed());
}

TEST_F(ObservingMiddlewareTest, AsksTheNextServiceForTheOwner) {
  text(watched(), tool_call("t"));
  EXPECT_EQ(last().server, "echo");
  text(watched(), call_of("tools/list"));
  EXPECT_EQ(last().server, "");
}

TEST_F(ObservingMiddlewareTest, ReportsFailures) {
  fail_with({.kind = ErrorKind::refused, .message = "no", .code = -32602});
  text(watched(), tool_call("t"));
  EXPECT_EQ(last().outcome.code, -32602);
  EXPECT_EQ(last().outcome.plane(), Plane::protocol);
}

TEST_F(ObservingMiddlewareTest, ReportsTheEndOfCancelledCalls) {
  server.on_call = [this](Call&) { return never(); };
  start(watched(), tool_call("t"));
  EXPECT_EQ(witness->begun.size(), 1U);
  EXPECT_TRUE(witness->seen.empty());
  calls.cancel();
  settle();
  ASSERT_EQ(witness->seen.size(), 1U);
  EXPECT_EQ(last().outcome.plane(), Plane::caller);
}

TEST_F(ObservingMiddlewareTest, ReportsExceptionsAsInternalErrorsWithoutTheirText) {
  server.on_call = [](Call&) { return throwing(); };
  start(watched(), tool_call("t"));
  ASSERT_EQ(witness->seen.size(), 1U);
  EXPECT_EQ(last().outcome.code, -32603);
  EXPECT_EQ(last().outcome.message.find("secret"), std::string::npos);
}

TEST_F(ObservingMiddlewareTest, ObserversSeeStartAndEndOfTheSameCalls) {
  auto late = std::make_shared<RecordingObserver>();
  server.on_call = [&](Call&) {
    observers->add(late);
    observers->remove(*witness);
    return answering("{}");
  };
  const auto service = watched();
  text(service, tool_call("t"));
  EXPECT_TRUE(late->seen.empty());
  EXPECT_EQ(witness->seen.size(), 1U);
  serve("{}");
  text(service, tool_call("t"));
  EXPECT_EQ(late->begun.size(), 1U);
  EXPECT_EQ(late->seen.size(), 1U);
  EXPECT_EQ(witness->seen.size(), 1U);
}

TEST_F(ObservingMiddlewareTest, WithoutObserversAReadyReplyStaysReady) {
  server.quick = true;
  auto call = tool_call("t");
  observers->remove(*witness);
  EXPECT_TRUE(watched()->call(call).is_ready());
}

TEST_F(ObservingMiddlewareTest, RemembersToolsThatWereListedOrHaveAnswered) {
  const auto service = watched();
  serve(R"({"content":[],"isError":true})");
  text(service, tool_call("broken"));
  EXPECT_FALSE(last().listed);
  serve(R"({"tools":[{"name":"broken","inputSchema":{}}]})");
  text(service, call_of("tools/list"));
  serve(R"({"content":[],"isError":true})");
  text(service, tool_call("broken"));
  EXPECT_TRUE(last().listed);
  serve(R"({"content":[]})");
  text(service, tool_call("unlisted"));
  EXPECT_TRUE(last().listed);
}

TEST_F(ObservingMiddlewareTest, Attack_InventedNamesAreNotListed) {
  const auto service = watched();
  fail_with({.kind = ErrorKind::refused, .message = "no such tool", .code = -32602});
  for (int i = 0; i < 3; ++i) {
    text(service, tool_call("made-up"));
    EXPECT_FALSE(last().listed);
  }
}

}  // namespace
}  // namespace fairlead::gateway::test::observing_middleware_test
