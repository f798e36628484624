#include "gateway/observe/tracer.hpp"

#include <boost/asio/io_context.hpp>
#include <fairlead/base/log_sinks.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlead::gateway::tracer_test {
namespace {

using session::Call;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::Not;
using testing::Pair;

const std::string clients = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const std::string clients_unsampled = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";

struct TracerTest : testing::Test {
  boost::asio::io_context io;
  ManualClock clock;
  TimerWheel timers{clock};
  CapturingSink log;
  Tracer tracer{{io.get_executor(), timers, log},
                [] { return std::chrono::system_clock::time_point{std::chrono::seconds{1'700'000'000}}; }};
  std::vector<Span> spans;

  void set_sink(double share = 1) {
    tracer.set_sink([this](const Span& span) { spans.push_back(span); }, share);
  }

  static Call call_with(const std::string& params) {
    return {.method = "tools/call", .params = json::Payload::trusted(params)};
  }
  static Call call_with_header(const std::string& traceparent, const std::string& params = R"({"name":"t"})") {
    auto call = call_with(params);
    call.context.request_headers = std::make_shared<const jsonrpc::MessageHeaders>(
        jsonrpc::MessageHeaders{{"traceparent", traceparent}, {"tracestate", "a=1"}, {"x-other", "stays"}});
    return call;
  }
  static std::string meta(const std::string& inside) { return R"({"name":"t","_meta":{)" + inside + "}}"; }

  CallRecord begin(Call& call, Hop hop) {
    CallRecord record{.hop = hop, .server = "git", .method = call.method, .target = "t"};
    record.start = clock.now();
    tracer.on_start(call, record);
    return record;
  }
  void end(Call& call, CallRecord record, Outcome outcome = {}) {
    record.outcome = std::move(outcome);
    record.end = clock.now();
    tracer.on_end(call, record);
  }
  /// Passes both hops and returns what the server got.
  std::string pass(Call call, const Outcome& outcome = {}) {
    const auto front = begin(call, Hop::front);
    const auto server = begin(call, Hop::server);
    clock.advance(std::chrono::milliseconds{5});
    std::string got(call.params.text());
    end(call, server, outcome);
    end(call, front, outcome);
    return got;
  }
  static std::string parent_of(const Span& span) {
    return span.parent ? std::string(span.parent->data(), span.parent->size()) : "none";
  }
};

TEST_F(TracerTest, WithoutASinkAndTraceKeepsEveryByte) {
  for (const auto* params : {"", "{}", R"({ "name" : "t" , "_meta" : { } })", R"({"n":1.0})"}) {
    EXPECT_EQ(pass(call_with(params)), params);
  }
  EXPECT_EQ(pass(call_with(meta(R"("traceparent" : "nonsense")"))), meta(R"("traceparent" : "nonsense")"));
}

TEST_F(TracerTest, WithoutASinkPropagatesTheClientsTrace) {
  const auto sent = meta(R"("traceparent":")" + clients + R"(","tracestate":"a=1","baggage":"b=2")");
  EXPECT_EQ(pass(call_with(sent)), sent);
  EXPECT_EQ(pass(call_with_header(clients)),
            R"({"name":"t","_meta":{"traceparent":")" + clients + R"(","tracestate":"a=1"}})");
}

TEST_F(TracerTest, WithoutASinkDropsAnInvalidHeader) {
  EXPECT_EQ(pass(call_with_header("nonsense")), R"({"name":"t"})");
}

TEST_F(TracerTest, EachHopIsAChildSpan) {
  set_sink();
  const auto got = pass(call_with(meta(R"("traceparent":")" + clients + R"(")")));
  ASSERT_EQ(spans.size(), 2U);
  const auto& server = spans[0];
  const auto& front = spans[1];
  EXPECT_EQ(front.context.trace_id(), "4bf92f3577b34da6a3ce929d0e0e4736");
  EXPECT_EQ(server.context.trace_id(), front.context.trace_id());
  EXPECT_EQ(parent_of(front), "00f067aa0ba902b7");
  EXPECT_EQ(parent_of(server), front.context.span_id());
  EXPECT_THAT(got, HasSubstr(write_traceparent(server.context)));
  EXPECT_THAT(got, Not(HasSubstr(clients)));
}

TEST_F(TracerTest, StartsATraceIfThereIsNone) {
  set_sink();
  pass(call_with(R"({"name":"t"})"));
  pass(call_with(R"({"name":"t"})"));
  ASSERT_EQ(spans.size(), 4U);
  EXPECT_EQ(parent_of(spans[1]), "none");
  EXPECT_EQ(parent_of(spans[0]), spans[1].context.span_id());
  EXPECT_NE(spans[1].context.trace_id(), spans[3].context.trace_id());
}

TEST_F(TracerTest, MetaOverridesHeaders) {
  set_sink();
  pass(call_with_header("00-11111111111111111111111111111111-2222222222222222-01",
                        meta(R"("traceparent":")" + clients + R"(")")));
  EXPECT_EQ(parent_of(spans.at(1)), "00f067aa0ba902b7");
}

TEST_F(TracerTest, ContinuesATraceFromHeaders) {
  set_sink();
  const auto got = pass(call_with_header(clients));
  EXPECT_EQ(parent_of(spans.at(1)), "00f067aa0ba902b7");
  EXPECT_THAT(got, HasSubstr(R"("tracestate":"a=1")"));
  EXPECT_EQ(spans[1].state, "a=1");
}

TEST_F(TracerTest, KeepsOtherHeaders) {
  set_sink();
  auto call = call_with_header(clients);
  const auto record = begin(call, Hop::front);
  EXPECT_THAT(*call.context.request_headers, Contains(Pair("x-other", "stays")));
  EXPECT_THAT(*call.context.request_headers, Contains(Pair("traceparent", record.trace)));
  end(call, record);
}

TEST_F(TracerTest, CallsMadeForAClientCallShareItsTrace) {
  set_sink();
  auto call = call_with(R"({"name":"t"})");
  const auto front = begin(call, Hop::front);
  Call another{.method = "tools/list", .params = json::Payload::trusted("{}"), .context = call.context};
  const auto server = begin(another, Hop::server);
  end(another, server);
  end(call, front);
  EXPECT_EQ(parent_of(spans.at(0)), spans.at(1).context.span_id());
}

TEST_F(TracerTest, RestoresTheParamsForARetry) {
  set_sink();
  auto call = call_with(R"({"name":"t"})");
  const auto front = begin(call, Hop::front);
  for (int i = 0; i < 2; ++i) {
    const auto server = begin(call, Hop::server);
    EXPECT_THAT(std::string(call.params.text()), HasSubstr(server.trace));
    end(call, server);
    EXPECT_EQ(call.params.text(), R"({"name":"t"})");
  }
  end(call, front);
  EXPECT_EQ(parent_of(spans.at(0)), parent_of(spans.at(1)));
  EXPECT_NE(spans[0].context.span_id(), spans[1].context.span_id());
}

TEST_F(TracerTest, PropagatesUnsampledTracesWithoutExport) {
  set_sink();
  EXPECT_THAT(pass(call_with(meta(R"("traceparent":")" + clients_unsampled + R"(")"))), HasSubstr("-00\""));
  set_sink(0);
  EXPECT_THAT(pass(call_with(R"({"name":"t"})")), HasSubstr("-00\""));
  EXPECT_THAT(spans, IsEmpty());
  // The creator of the trace decides.
  pass(call_with(meta(R"("traceparent":")" + clients + R"(")")));
  EXPECT_EQ(spans.size(), 2U);
}

TEST_F(TracerTest, DropsATracestateWithoutParent) {
  set_sink();
  const auto got = pass(call_with(meta(R"("traceparent":"nonsense","tracestate":"a=1","k":1.0)")));
  EXPECT_THAT(got, Not(HasSubstr("tracestate")));
  EXPECT_THAT(got, HasSubstr(R"("k":1.0)"));
}

TEST_F(TracerTest, KeepsParamsThatAreNotObjects) {
  set_sink();
  for (const auto* params : {"[1, 2]", R"({"name":"t","_meta":7})"}) EXPECT_EQ(pass(call_with(params)), params);
  EXPECT_THAT(pass(call_with("")), testing::StartsWith(R"({"_meta":{"traceparent":"00-)"));
}

TEST_F(TracerTest, SpansHaveNameTimesAndAttributes) {
  set_sink();
  auto call = call_with(R"({"name":"t"})");
  call.context.id = jsonrpc::Id("seven");
  pass(std::move(call));
  const auto& server = spans.at(0);
  const auto& front = spans.at(1);
  EXPECT_EQ(front.hop, Hop::front);
  EXPECT_EQ(front.name, "tools/call t");
  EXPECT_EQ(server.hop, Hop::server);
  EXPECT_EQ(server.end, 1'700'000'000'000'000'000U);
  EXPECT_EQ(server.end - server.start, 5'000'000U);
  EXPECT_THAT(
      front.attributes,
      ElementsAre(Pair("mcp.method.name", "tools/call"), Pair("gen_ai.operation.name", "execute_tool"),
                  Pair("gen_ai.tool.name", "t"), Pair("mcp.server.name", "git"), Pair("jsonrpc.request.id", "seven")));
  EXPECT_THAT(server.attributes, Not(Contains(Key("jsonrpc.request.id"))));
  EXPECT_FALSE(front.failed);
}

TEST_F(TracerTest, SpansNameTheErrorType) {
  set_sink();
  pass(call_with("{}"), {.transport = "timeout", .code = -32001, .message = "no answer"});
  pass(call_with("{}"), {.code = -32602, .message = "bad"});
  pass(call_with("{}"), {.tool_failed = true});
  const auto* types = "error.type";
  EXPECT_THAT(spans.at(0).attributes, Contains(Pair(types, "timeout")));
  EXPECT_THAT(spans.at(2).attributes, Contains(Pair(types, "-32602")));
  EXPECT_THAT(spans.at(2).attributes, Contains(Pair("rpc.response.status_code", "-32602")));
  EXPECT_THAT(spans.at(4).attributes, Contains(Pair(types, "tool_error")));
  for (const auto& span : spans) EXPECT_TRUE(span.failed);
  EXPECT_EQ(spans[2].message, "bad");
}

TEST_F(TracerTest, RedactsResourceUrisInSpans) {
  set_sink();
  Call call{.method = "resources/read", .params = json::Payload::trusted("{}")};
  CallRecord record{.hop = Hop::front, .method = call.method, .target = "https://me:hunter2x@h/f?token=hunter3x"};
  tracer.on_start(call, record);
  tracer.on_end(call, record);
  ASSERT_EQ(spans.size(), 1U);
  EXPECT_EQ(spans[0].name, "resources/read");
  EXPECT_THAT(spans[0].attributes, Contains(Key("mcp.resource.uri")));
  for (const auto& [name, value] : spans[0].attributes) EXPECT_THAT(value, Not(HasSubstr("hunter")));
}

}  // namespace
}  // namespace fairlead::gateway::tracer_test
