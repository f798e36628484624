#include "gateway/fixtures/config_reader.hpp"
#include "gateway/fixtures/manual_clock_fixture.hpp"
#include "gateway/gateway.hpp"
#include "gateway/observe/metrics_handler.hpp"
#include "gateway/observe/prometheus_text.hpp"

namespace fairlead::gateway::test::observe_metrics_test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(PrometheusText, GroupsSamplesByName) {
  PrometheusText all;
  all.add(MetricKind::counter, "b_total", "Bees.", {{"kind", "x"}}, 2);
  all.add(MetricKind::gauge, "a", "Ants.", {}, 0.5);
  all.add(MetricKind::counter, "b_total", "Bees.", {{"kind", "a"}}, 12345678);
  EXPECT_EQ(all.text(),
            "# HELP a Ants.\n# TYPE a gauge\na 0.5\n"
            "# HELP b_total Bees.\n# TYPE b_total counter\nb_total{kind=\"a\"} 12345678\nb_total{kind=\"x\"} 2\n");
}

TEST(PrometheusText, Attack_ValuesCannotBreakOutOfTheirLine) {
  PrometheusText all;
  all.add(MetricKind::gauge, "a", "Lines\nand \\.", {{"l", "q\"} 1\nb 2 \\"}}, 1);
  EXPECT_EQ(all.text(), "# HELP a Lines\\nand \\\\.\n# TYPE a gauge\na{l=\"q\\\"} 1\\nb 2 \\\\\"} 1\n");
}

TEST(PrometheusText, IgnoresInvalidNamesAndDuplicates) {
  PrometheusText all;
  all.add(MetricKind::gauge, "a-b", "No name.", {}, 1);
  all.add(MetricKind::gauge, "", "No name.", {}, 1);
  all.add(MetricKind::gauge, "1a", "No name.", {}, 1);
  all.add(MetricKind::gauge, "a", "A.", {{"l:m", "x"}}, 1);
  EXPECT_EQ(all.text(), "");
  all.add(MetricKind::gauge, "a", "A.", {}, 1);
  all.add(MetricKind::gauge, "a", "A.", {}, 2);
  all.add(MetricKind::counter, "a", "A.", {{"l", "x"}}, 2);
  EXPECT_EQ(all.text(), "# HELP a A.\n# TYPE a gauge\na 1\n");
}

TEST(PrometheusText, WritesCumulativeHistograms) {
  DurationHistogram histogram;
  histogram.record(0.0004);
  histogram.record(0.002);
  histogram.record(1'000);
  PrometheusText all;
  all.add("t_seconds", "Times.", {{"l", "x"}}, histogram);
  const auto text = all.text();
  EXPECT_THAT(text, HasSubstr("# TYPE t_seconds histogram\nt_seconds_bucket{l=\"x\",le=\"0.0005\"} 1\n"
                              "t_seconds_bucket{l=\"x\",le=\"0.001\"} 1\nt_seconds_bucket{l=\"x\",le=\"0.0025\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("le=\"300\"} 2\nt_seconds_bucket{l=\"x\",le=\"+Inf\"} 3\n"
                              "t_seconds_sum{l=\"x\"} 1000.0024\nt_seconds_count{l=\"x\"} 3\n"));
}

struct MetricsTest : ManualClockTest {
  http::Response response_to(const std::string& method, const std::string& path) {
    MetricsHandler handler("/base/metrics", [] { return std::string("a 1\n"); });
    http::Request request;
    request.method = method;
    request.path = path;
    return handler.handle(request).take();
  }
  /// Counters of a chain's only step, as `name=value`.
  static std::string counted(const Chain& chain) {
    std::string all;
    for (const auto& metric : chain.steps().front()->metrics()) {
      all += (all.empty() ? "" : " ") + metric.name;
      for (const auto& [name, value] : metric.labels) all.append("[" + value + "]");
      all += "=" + std::to_string(static_cast<int>(metric.value));
    }
    return all;
  }
};

TEST_F(MetricsTest, ServesOnePathOnly) {
  EXPECT_EQ(response_to("GET", "/base/metrics").body, "a 1\n");
  EXPECT_EQ(response_to("GET", "/base/metrics").content_type, "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_EQ(response_to("GET", "/base/metrics/x").status, 404);
  EXPECT_EQ(response_to("POST", "/base/metrics").status, 405);
}

TEST_F(MetricsTest, CountsCacheHitsAndMisses) {
  server.on_call = [](Call&) { return answering(R"({"tools":[],"ttlMs":5000,"cacheScope":"public"})"); };
  const auto cache = step("cache", {});
  const auto service = cache.then(server);
  text(service, call_of("tools/list"));
  text(service, call_of("tools/list"));
  text(service, call_of("tools/list"));
  text(service, tool_call("never kept"));
  EXPECT_THAT(counted(cache), HasSubstr("cache_hits=2 cache_misses=1 cache_bytes="));
}

TEST_F(MetricsTest, ReportsBreakerStateAndOpenings) {
  const auto breaker = step("breaker", {{"", "1"}});
  const auto service = breaker.then(server);
  text(service, tool_call("t"));
  EXPECT_EQ(counted(breaker), "breaker_open[echo]=0 breaker_opened[echo]=0 breaker_refusals[echo]=0");
  fail_with({.kind = ErrorKind::closed, .message = "gone"});
  text(service, tool_call("t"));
  text(service, tool_call("t"));
  EXPECT_EQ(counted(breaker), "breaker_open[echo]=1 breaker_opened[echo]=1 breaker_refusals[echo]=1");
}

TEST_F(MetricsTest, CountsLimitRefusals) {
  const auto limit = step("limit", {{"", "1/m"}});
  const auto service = limit.then(server);
  text(service, tool_call("t"));
  text(service, tool_call("t"));
  text(service, tool_call("t"));
  EXPECT_EQ(counted(limit), "limit_refusals[rate]=2 limit_refusals[concurrent]=0 limit_waiting=0");
}

TEST_F(MetricsTest, RetriesAreCounted) {
  fail_with({.kind = ErrorKind::closed, .message = "gone"});
  const auto retry = step("retry", {{"", "2"}, {"delay", "1s"}});
  start(retry.then(server), call_of("tools/list"));
  pass(std::chrono::seconds{1});
  EXPECT_EQ(counted(retry), "retries=1");
  pass(std::chrono::seconds{2});
  EXPECT_EQ(counted(retry), "retries=2");
}

TEST_F(MetricsTest, ReportsAllMetricsOfAGateway) {
  GatewayConfig config;
  config.servers.push_back({.name = "git", .command = {"true"}, .chain = {{.name = "retry"}}});
  config.chain = {{.name = "limit", .arguments = {{"", "10/s"}}}};
  Gateway gateway(loop(), Registry::standard());
  ASSERT_TRUE(gateway.apply(config));
  const auto text = gateway.metrics();
  for (const auto* line :
       {"fairlead_build_info{version=\"", "fairlead_calls_in_flight{hop=\"front\"} 0\n",
        "fairlead_child_processes{server=\"git\"} 0\n",
        "fairlead_server_connections{server=\"git\",state=\"idle\"} 1\n",
        "fairlead_server_calls_waiting{server=\"git\"} 0\n", "fairlead_server_restarts_total{server=\"git\"} 0\n",
        "fairlead_sessions{endpoint=\"/\"} 0\n", "fairlead_sessions{endpoint=\"/s/git\"} 0\n",
        "fairlead_sessions{endpoint=\"via\"} 0\n", "fairlead_streams{kind=\"get\"} 0\n", "fairlead_starts_waiting 0\n",
        "fairlead_limit_refusals_total{chain=\"\",step=\"1\",limit=\"rate\"} 0\n",
        "fairlead_retries_total{chain=\"git\",step=\"1\"} 0\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
  fairlead::test::spawn(io, gateway.stop());
  settle();
}

TEST_F(MetricsTest, ServesTheConfiguredPathAlsoAfterAReload) {
  GatewayConfig config;
  config.listen.base_path = "/base";
  Gateway gateway(loop(), Registry::standard());
  const auto status = [&](const std::string& path) {
    http::Request request;
    request.method = "GET";
    request.path = path;
    auto answer = gateway.router()->handle(request);
    return answer.is_ready() ? answer.take().status : 0;
  };
  ASSERT_TRUE(gateway.apply(config));
  EXPECT_EQ(status("/base/metrics"), 200);
  config.metrics = "/figures";
  ASSERT_TRUE(gateway.apply(config));
  EXPECT_NE(status("/base/metrics"), 200);
  EXPECT_EQ(status("/base/figures"), 200);
  config.metrics = "";
  ASSERT_TRUE(gateway.apply(config));
  EXPECT_NE(status("/base/figures"), 200);
  fairlead::test::spawn(io, gateway.stop());
  settle();
}

TEST(MetricsConfig, IsAPathOrOff) {
  EXPECT_EQ(read_text("metrics: /figures/").value().config.metrics, "/figures");
  EXPECT_EQ(read_text("metrics: off").value().config.metrics, "");
  EXPECT_EQ(read_text("{}").value().config.metrics, "/metrics");
  EXPECT_THAT(error_of("metrics: yes"), HasSubstr("expected a path"));
  EXPECT_THAT(error_of("metrics: /mcp"), HasSubstr("is already the path of mcp"));
}

TEST(AccessLogConfig, AcceptsOffTextAndJson) {
  EXPECT_EQ(read_text("log: {calls: json}").value().config.log.calls, CallLogFormat::json);
  EXPECT_EQ(read_text("{}").value().config.log.calls, CallLogFormat::off);
  EXPECT_THAT(error_of("log: {calls: xml}"), HasSubstr("expected one of off, text, json"));
}

}  // namespace
}  // namespace fairlead::gateway::test::observe_metrics_test
