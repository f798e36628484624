#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gateway/config/show_config.hpp"
#include "gateway/fixtures/config_reader.hpp"

namespace fairlead::gateway::test::config_trace_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

TraceConfig trace_of(const std::string& text, const Variables& variables = {}) {
  const auto loaded = read_text(text, test_options(variables));
  return loaded ? loaded->config.trace : TraceConfig{.service = loaded.error().message};
}

const Variables otel = {{"OTEL_EXPORTER_OTLP_ENDPOINT", "https://collector.example/base"},
                        {"OTEL_SERVICE_NAME", "ours"},
                        {"OTEL_EXPORTER_OTLP_HEADERS", "api-key=hunter%3D2, x-other = two "}};

TEST(ConfigTrace, IsOffByDefault) {
  EXPECT_EQ(trace_of("servers: {}", otel), TraceConfig());
  EXPECT_EQ(trace_of("trace: false", otel), TraceConfig());
}

TEST(ConfigTrace, OnUsesTheDefaultReceiver) {
  EXPECT_EQ(trace_of("trace: on"), trace_of("trace: true"));
  EXPECT_EQ(trace_of("trace: off"), TraceConfig());
  const auto config = trace_of("trace: true");
  EXPECT_EQ(config.endpoint, "http://localhost:4318");
  EXPECT_EQ(config.service, "fairlead");
  EXPECT_EQ(config.sample, 1.0);
  EXPECT_THAT(config.headers, IsEmpty());
}

TEST(ConfigTrace, ReadsMissingValuesFromTheOtelVariables) {
  const auto config = trace_of("trace: true", otel);
  EXPECT_EQ(config.endpoint, "https://collector.example/base");
  EXPECT_EQ(config.service, "ours");
  EXPECT_THAT(config.headers, ElementsAre(Pair("api-key", "hunter=2"), Pair("x-other", "two")));
}

TEST(ConfigTrace, TheFileOverridesTheEnvironment) {
  const auto config =
      trace_of("trace: {endpoint: 'http://h:1', service: s, sample: 0.25, headers: {api-key: mine}}", otel);
  EXPECT_EQ(config.endpoint, "http://h:1");
  EXPECT_EQ(config.service, "s");
  EXPECT_EQ(config.sample, 0.25);
  EXPECT_THAT(config.headers, ElementsAre(Pair("api-key", "mine"), Pair("x-other", "two")));
  EXPECT_EQ(trace_of("trace: http://h:2").endpoint, "http://h:2");
}

TEST(ConfigTrace, ReportsErrors) {
  EXPECT_THAT(error_of("trace: {sample: 2}"), HasSubstr("trace.sample: expected a number from 0 to 1, got '2'"));
  EXPECT_THAT(error_of("trace: yes"),
              HasSubstr("expected the URL of an OTLP receiver such as http://localhost:4318, got 'yes'"));
  EXPECT_THAT(error_of("trace: {endpoint: 'ws://h'}"), HasSubstr("expected the URL of an OTLP receiver"));
  EXPECT_THAT(error_of("trace: {endpiont: x}"), HasSubstr("did you mean endpoint?"));
  EXPECT_THAT(error_of("trace: true", test_options({{"OTEL_EXPORTER_OTLP_ENDPOINT", "nonsense"}})),
              HasSubstr("got 'OTEL_EXPORTER_OTLP_ENDPOINT'"));
  const auto complaint = error_of("trace: true", test_options({{"OTEL_EXPORTER_OTLP_HEADERS", "hunter2 hunter3"}}));
  EXPECT_THAT(complaint, HasSubstr("OTEL_EXPORTER_OTLP_HEADERS is not of the form"));
  EXPECT_THAT(complaint, Not(HasSubstr("hunter")));
}

TEST(ConfigTrace, IsPrintedRedactedAndWithItsSources) {
  const auto loaded =
      read_text("trace: {endpoint: 'http://me:hunter1@h:1', headers: {authorization: hunter3}}", test_options(otel));
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto text = show_config(*loaded);
  EXPECT_THAT(text, Not(HasSubstr("hunter")));
  EXPECT_THAT(text, HasSubstr("  service: ours  # env OTEL_SERVICE_NAME, at chain.yaml:1\n"));
  EXPECT_THAT(text, HasSubstr("api-key: \"[redacted]\""));
}

TEST(ConfigTrace, ReadsServerTiming) {
  for (const auto* word : {"on", "true"}) {
    EXPECT_TRUE(read_text("server_timing: " + std::string(word))->config.server_timing);
  }
  for (const auto* word : {"off", "false"}) {
    EXPECT_FALSE(read_text("server_timing: " + std::string(word))->config.server_timing);
  }
  EXPECT_THAT(error_of("server_timing: maybe"), HasSubstr("expected true or false"));
}

TEST(ConfigTrace, IsPrintedSoThatItReadsBack) {
  for (const auto* text : {"trace: false", "servers: {}", "trace: {endpoint: 'http://h:1', sample: 0.125}"}) {
    const auto loaded = read_text(text);
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(trace_of(show_config(*loaded)), loaded->config.trace) << show_config(*loaded);
  }
}

}  // namespace
}  // namespace fairlead::gateway::test::config_trace_test
