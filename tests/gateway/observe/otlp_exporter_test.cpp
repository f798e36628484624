#include "gateway/observe/otlp_exporter.hpp"

#include <boost/json.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gateway/fixtures/manual_loop.hpp"
#include "gateway/observe/otlp_json.hpp"

namespace fairlead::gateway::otlp_exporter_test {
namespace {

using namespace std::chrono_literals;
using test::ManualLoop;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

Span some_span(const std::string& name = "tools/call t") {
  Span span{.context = *read_traceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"), .name = name};
  span.start = 1'700'000'000'000'000'000U;
  span.end = 1'700'000'000'005'000'000U;
  return span;
}

/// A receiver with scripted responses.
struct OtlpExporterTest : testing::Test {
  ManualLoop manual;
  std::vector<http::ClientRequest> requests;
  Result<http::ClientResponse> answer = status(200);
  bool silent = false;
  AsyncEvent never{manual.io().get_executor()};
  OtlpOptions options;
  std::unique_ptr<OtlpExporter> made;

  OtlpExporter& otlp() {
    if (!made) {
      made = std::make_unique<OtlpExporter>(manual.loop(), options,
                                            [this](http::ClientRequest request) { return take(std::move(request)); });
    }
    return *made;
  }
  Task<Result<http::ClientResponse>> take(http::ClientRequest request) {
    requests.push_back(std::move(request));
    while (silent) co_await never.wait();
    co_return answer;
  }
  Task<bool> stopping() {
    co_await otlp().stop();
    co_return true;
  }
  void TearDown() override {
    if (made) manual.run(made->stop());
  }

  void add(int count) {
    for (int i = 0; i < count; ++i) otlp().add(some_span());
    manual.poll();
  }
  static std::size_t count_in(const http::ClientRequest& request) {
    const auto body = boost::json::parse(request.body);
    return body.at("resourceSpans").at(0).at("scopeSpans").at(0).at("spans").as_array().size();
  }
  std::vector<std::size_t> counts() const {
    std::vector<std::size_t> all;
    for (const auto& request : requests) all.push_back(count_in(request));
    return all;
  }
  static Result<http::ClientResponse> status(std::uint16_t code, std::vector<http::Header> headers = {}) {
    return http::ClientResponse{.status = code, .headers = std::move(headers)};
  }
  static Result<http::ClientResponse> failure(ErrorKind kind) { return fail(kind, "no connection"); }
  std::size_t warnings() {
    std::size_t count = 0;
    for (const auto& line : manual.log().lines()) count += line.level == LogLevel::warning ? 1U : 0U;
    return count;
  }
};

TEST_F(OtlpExporterTest, EncodesSpansAsOtlpJson) {
  auto span = some_span("tools/call \"q\"");
  span.parent.emplace().fill('a');
  span.state = "a=1";
  span.hop = Hop::server;
  span.attributes = {{"mcp.method.name", "tools/call"}};
  span.failed = true;
  span.message = "broken";
  EXPECT_EQ(otlp_span(span),
            R"({"traceId":"4bf92f3577b34da6a3ce929d0e0e4736","spanId":"00f067aa0ba902b7",)"
            R"("parentSpanId":"aaaaaaaaaaaaaaaa","traceState":"a=1","name":"tools/call \"q\"","kind":3,)"
            R"("startTimeUnixNano":"1700000000000000000","endTimeUnixNano":"1700000000005000000",)"
            R"("attributes":[{"key":"mcp.method.name","value":{"stringValue":"tools/call"}}],)"
            R"("status":{"code":2,"message":"broken"}})");
  EXPECT_THAT(otlp_span(some_span()), HasSubstr(R"("kind":2)"));
  EXPECT_THAT(otlp_span(some_span()), HasSubstr(R"("status":{}})"));
}

TEST_F(OtlpExporterTest, SendsServiceNameAndHeaders) {
  options.endpoint = "http://collector:4318/";
  options.service = "our \"gateway\"";
  options.headers = {{"api-key", "secret"}};
  add(1);
  manual.pass(1s);
  ASSERT_THAT(requests, SizeIs(1));
  EXPECT_EQ(requests[0].method, "POST");
  EXPECT_EQ(requests[0].url, "http://collector:4318/v1/traces");
  EXPECT_THAT(requests[0].headers, Contains(http::Header{"Content-Type", "application/json"}));
  EXPECT_THAT(requests[0].headers, Contains(http::Header{"api-key", "secret"}));
  const auto body = boost::json::parse(requests[0].body);
  const auto& service = body.at("resourceSpans").at(0).at("resource").at("attributes").at(0);
  EXPECT_EQ(service.at("key"), "service.name");
  EXPECT_EQ(service.at("value").at("stringValue"), "our \"gateway\"");
}

TEST_F(OtlpExporterTest, SendsABatchAfterTheDelay) {
  add(3);
  manual.pass(900ms);
  EXPECT_THAT(requests, IsEmpty());
  manual.pass(200ms);
  EXPECT_THAT(counts(), testing::ElementsAre(3));
  manual.pass(1h);
  EXPECT_THAT(requests, SizeIs(1));
}

TEST_F(OtlpExporterTest, SendsFullBatchesAtOnce) {
  options.batch = 10;
  add(25);
  EXPECT_THAT(counts(), testing::ElementsAre(10, 10));
  manual.pass(2s);
  EXPECT_THAT(counts(), testing::ElementsAre(10, 10, 5));
}

TEST_F(OtlpExporterTest, LimitsTheQueue) {
  options.batch = 2;
  options.max_queued = 5;
  silent = true;
  add(2);
  add(10);
  EXPECT_THAT(requests, SizeIs(1));
  EXPECT_EQ(otlp().dropped(), 5U);
  EXPECT_EQ(warnings(), 1U);
  silent = false;
  never.notify();
  manual.poll();
  EXPECT_THAT(counts(), testing::ElementsAre(2, 2, 2));
}

TEST_F(OtlpExporterTest, RetriesWithBackoff) {
  for (const auto code : std::to_array<std::uint16_t>({429, 502, 503, 504})) {
    requests.clear();
    answer = status(code);
    add(1);
    manual.pass(1s);
    EXPECT_THAT(requests, SizeIs(1));
    manual.pass(1s);
    EXPECT_THAT(requests, SizeIs(2));
    manual.pass(1s);
    EXPECT_THAT(requests, SizeIs(2));
    answer = status(200);
    manual.pass(1s);
    ASSERT_THAT(requests, SizeIs(3));
    EXPECT_EQ(requests[0].body, requests[2].body);
  }
  EXPECT_EQ(otlp().dropped(), 0U);
}

TEST_F(OtlpExporterTest, HonoursRetryAfter) {
  answer = status(503, {{"Retry-After", "20"}});
  add(1);
  manual.pass(1s);
  manual.pass(19s);
  EXPECT_THAT(requests, SizeIs(1));
  answer = status(200);
  manual.pass(1s);
  EXPECT_THAT(requests, SizeIs(2));
}

TEST_F(OtlpExporterTest, LogsAnOutageOnceAndItsEnd) {
  answer = failure(ErrorKind::closed);
  add(1);
  manual.pass(1s);
  manual.pass(1s);
  manual.pass(2s);
  EXPECT_THAT(requests, SizeIs(3));
  EXPECT_EQ(warnings(), 1U);
  answer = status(200);
  manual.pass(4s);
  ASSERT_FALSE(manual.log().lines().empty());
  EXPECT_THAT(manual.log().lines().back().message, HasSubstr("accepts spans again; 0 were dropped"));
}

TEST_F(OtlpExporterTest, DropsSpansAfterTheLastAttempt) {
  options.max_attempts = 3;
  answer = failure(ErrorKind::timeout);
  add(2);
  manual.pass(1s);
  manual.pass(1s);
  manual.pass(2s);
  EXPECT_EQ(otlp().dropped(), 2U);
  manual.pass(1h);
  EXPECT_THAT(requests, SizeIs(3));
}

TEST_F(OtlpExporterTest, DoesNotRetryPermanentErrors) {
  for (const auto& refusal : {status(400), status(401), status(404), failure(ErrorKind::malformed)}) {
    requests.clear();
    answer = refusal;
    add(1);
    manual.pass(1s);
    manual.pass(1h);
    EXPECT_THAT(requests, SizeIs(1));
  }
  EXPECT_EQ(otlp().dropped(), 4U);
  EXPECT_EQ(warnings(), 1U);
}

TEST_F(OtlpExporterTest, CountsRejectedSpans) {
  const auto respond = [this](std::string body) {
    answer->body = std::move(body);
    add(5);
    manual.pass(1s);
  };
  respond(R"({"partialSuccess":{"rejectedSpans":"2","errorMessage":"no"}})");
  EXPECT_EQ(otlp().dropped(), 2U);
  respond(R"({"partialSuccess":{"rejectedSpans":99}})");
  EXPECT_EQ(otlp().dropped(), 7U);
  for (const auto* garbage : {"", "<html>", "[]", R"({"partialSuccess":7})", R"({"partialSuccess":{}})"})
    respond(garbage);
  EXPECT_EQ(otlp().dropped(), 7U);
}

TEST_F(OtlpExporterTest, StopSendsTheRemainingSpans) {
  add(3);
  const auto stopped = manual.start(stopping());
  EXPECT_TRUE(stopped->done());
  EXPECT_THAT(counts(), testing::ElementsAre(3));
}

TEST_F(OtlpExporterTest, StopDoesNotWaitForAnUnreachableReceiver) {
  answer = failure(ErrorKind::closed);
  add(1);
  manual.pass(1s);
  add(1);
  const auto stopped = manual.start(stopping());
  EXPECT_TRUE(stopped->done());
  EXPECT_EQ(otlp().dropped(), 2U);
}

TEST_F(OtlpExporterTest, StopWaitsForASlowReceiverUntilItsTimeout) {
  silent = true;
  add(1);
  const auto stopped = manual.start(stopping());
  manual.pass(2s);
  EXPECT_FALSE(stopped->done());
  manual.pass(2s);
  EXPECT_TRUE(stopped->done());
  EXPECT_EQ(otlp().dropped(), 1U);
}

TEST_F(OtlpExporterTest, RedactsTheLog) {
  options.endpoint = "http://me:hunter2@collector:4318";
  options.headers = {{"api-key", "hunter3"}};
  answer = status(503);
  add(1);
  manual.pass(1s);
  for (const auto& line : manual.log().lines()) EXPECT_THAT(line.message, Not(HasSubstr("hunter")));
  EXPECT_EQ(warnings(), 1U);
}

}  // namespace
}  // namespace fairlead::gateway::otlp_exporter_test
