#include <fairlead/server/http.hpp>

#include <atomic>
#include <boost/asio/steady_timer.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/log.hpp>
#include <fairlead/client.hpp>
#include <fairlead/server.hpp>
#include <fairlead/session/session.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <thread>

#include "support/certificates.hpp"

namespace fairlead::client::http_test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

/// A server on a TCP socket, and clients that connect by URL.
struct HttpClientTest : testing::Test {
  HttpClientTest() {
    app.tool("sum", "Adds", [](Arg<"a", int> a, Arg<"b", int> b) { return a + b; });
    app.tool("words", "Several blocks", [] {
      protocol::CallToolResult result;
      for (const auto* word : {"one", "two", "three"}) result.content.emplace_back(protocol::TextContent{.text = word});
      return result;
    });
    app.tool("fail", "Fails", []() -> Result<std::string> { return fairlead::fail(ErrorKind::invalid, "no luck"); });
    app.tool("hang", "Never answers", [this]() { return hang(this); });
  }

  static Task<std::string> hang(HttpClientTest* test) {
    ++test->hanging;
    test->hanging.notify_all();
    boost::asio::steady_timer timer(co_await this_task::executor, 1h);
    co_await timer.async_wait(use_task);
    co_return "never";
  }

  void serve(server::HttpOptions http = {}) {
    http.drain_timeout = 10ms;
    http_server.emplace(app, log, std::move(http), session::SessionOptions{});
    const auto started = http_server->start();
    ASSERT_TRUE(started) << started.error().message;
  }

  /// `scheme` replaces the server's own.
  std::string url(std::string_view scheme, std::string_view path) const {
    const auto own = http_server->url();
    return std::string(scheme) + own.substr(own.find("://")) + std::string(path);
  }

  server::Server app{"demo", "1.0"};
  std::atomic<int> hanging = 0;
  NullSink log;
  std::optional<server::HttpServer> http_server;
  ClientOptions options;
};

Error failure(const std::function<void()>& action) {
  try {
    action();
  } catch (const Failure& failed) {
    return failed.error();
  }
  ADD_FAILURE() << "nothing failed";
  return {};
}

struct ToolCallProtocolTest : HttpClientTest,
                              testing::WithParamInterface<std::pair<std::string_view, std::string_view>> {
  Client open_client() { return connect(url(GetParam().first, GetParam().second), options); }
};

TEST_P(ToolCallProtocolTest, ReturnsTheResult) {
  serve();
  auto demo = open_client();
  EXPECT_EQ(demo.call<int>("sum", {{"a", 1}, {"b", 2}}), 3);
  EXPECT_EQ(demo.call<std::string>("words"), "one\ntwo\nthree");
}

TEST_P(ToolCallProtocolTest, ReturnsTheError) {
  serve();
  auto demo = open_client();
  EXPECT_EQ(demo.call("fail").isError, true);
  EXPECT_EQ(failure([&] { demo.call("unheard-of"); }).kind, ErrorKind::refused);
}

TEST_P(ToolCallProtocolTest, TimesOut_S1_39_S1_50_TimeoutBecomesAnError) {
  serve();
  auto demo = open_client();
  CallOptions soon;
  soon.timeouts = session::Timeouts{.idle = 50ms, .total = 50ms};
  const auto error = failure([&] { demo.call("hang", {}, soon); });
  EXPECT_EQ(error.kind, ErrorKind::timeout);
  EXPECT_EQ(demo.call<int>("sum", {{"a", 1}, {"b", 2}}), 3);
}

TEST_P(ToolCallProtocolTest, RejectsMethodsOtherThanToolCalls) {
  serve();
  auto demo = open_client();
  EXPECT_EQ(failure([&] { demo.prompts(); }).code, -32601);
}

INSTANTIATE_TEST_SUITE_P(EveryTransport, ToolCallProtocolTest,
                         testing::Values(std::pair{"rpc+http", "/rpc"}, std::pair{"sse+http", "/rpc/stream"},
                                         std::pair{"rpc+ws", "/ws"}),
                         [](const auto& variant) {
                           return std::string(variant.param.first.substr(0, 3)) + std::to_string(variant.index);
                         });

TEST_F(HttpClientTest, FallsBackToHttpSse_S2_44_PostThatFailsIsFollowedByGet) {
  serve();
  auto demo = connect(url("http", "/sse"), options);
  EXPECT_EQ(demo.call<int>("sum", {{"a", 1}, {"b", 2}}), 3);
}

TEST_F(HttpClientTest, OpensANewSessionAfterALostOne_S2_39_InitializeAgainAfter404) {
  serve();
  options.era = EraPreference::handshake;
  auto demo = connect(url("http", "/mcp"), options);
  EXPECT_EQ(demo.call<int>("sum", {{"a", 1}, {"b", 2}}), 3);
  server::HttpOptions same;
  const auto own = http_server->url();
  same.listen.port = static_cast<std::uint16_t>(std::stoi(own.substr(own.rfind(':') + 1)));
  http_server->stop();
  serve(same);
  std::vector<std::jthread> callers;
  for (int i = 0; i < 8; ++i) {
    callers.emplace_back([&demo, i] { EXPECT_EQ(demo.call<int>("sum", {{"a", i}, {"b", 4}}), i + 4); });
  }
  callers.clear();
  EXPECT_EQ(demo.tools().size(), 4U);
}

TEST_F(HttpClientTest, FailsAllPendingCallsOnDisconnect_S1_47_S1_47b_DropRejectsAllPending) {
  serve();
  for (const auto* scheme : {"ws", "rpc+ws"}) {
    hanging = 0;
    options.reconnect = false;
    auto demo = connect(url(scheme, "/ws"), options);
    std::atomic<int> rejected = 0;
    std::vector<std::jthread> callers;
    for (int i = 0; i < 3; ++i) {
      callers.emplace_back([&] { rejected += failure([&] { demo.call("hang"); }).kind == ErrorKind::closed ? 1 : 0; });
    }
    for (int seen = hanging; seen < 3; seen = hanging) hanging.wait(seen);
    http_server->stop();
    callers.clear();
    EXPECT_EQ(rejected, 3);
    // S1-40b: later calls fail too.
    EXPECT_EQ(failure([&] { demo.call("sum"); }).kind, ErrorKind::closed);
    serve();
  }
}

TEST_F(HttpClientTest, FailsCallsOnAClosedSocket_S1_40_S1_40b_CallsAreRejected) {
  serve();
  options.reconnect = false;
  auto demo = connect(url("rpc+ws", "/ws"), options);
  demo.close();
  EXPECT_EQ(failure([&] { demo.call("sum"); }).kind, ErrorKind::closed);
  EXPECT_EQ(failure([&] { connect(url("ws", "/nowhere"), options); }).code, 404);
}

struct TlsClientTest : HttpClientTest {
  TlsClientTest() { certificates.add("server", "server", "DNS:localhost,IP:127.0.0.1"); }

  void serve_tls(bool mutual = false) {
    server::HttpOptions http;
    http.listen.tls = http::TlsServerOptions{.certificate_file = certificates.certificate("server"),
                                             .key_file = certificates.key("server"),
                                             .client_ca_file = mutual ? certificates.ca() : ""};
    serve(http);
  }

  test::Certificates certificates;
};

TEST_F(TlsClientTest, ConnectsToATrustedServer_S1_28_TrustComesFromTheSettings) {
  serve_tls();
  options.http.http.tls.ca_file = certificates.ca();
  for (const auto& [scheme, path] : {std::pair{"https", "/mcp"}, std::pair{"https", "/sse"}, std::pair{"wss", "/ws"},
                                     std::pair{"rpc+https", "/rpc"}, std::pair{"sse+https", "/rpc/stream"}}) {
    auto demo = connect(url(scheme, path), options);
    EXPECT_EQ(demo.call<int>("sum", {{"a", 1}, {"b", 2}}), 3) << scheme << path;
  }
}

TEST_F(TlsClientTest, RejectsAnUntrustedServer_S1_29_CertificatesAreValidated) {
  serve_tls();
  const auto error = failure([&] { connect(url("https", "/mcp"), options); });
  EXPECT_THAT(error.message, HasSubstr("certificate"));
}

TEST_F(TlsClientTest, PresentsAClientCertificate) {
  serve_tls(true);
  certificates.add("anna", "anna", "");
  options.http.http.tls = {.ca_file = certificates.ca(),
                           .certificate_file = certificates.certificate("anna"),
                           .key_file = certificates.key("anna")};
  auto demo = connect(url("https", "/mcp"), options);
  EXPECT_EQ(demo.call<int>("sum", {{"a", 1}, {"b", 2}}), 3);
}

}  // namespace
}  // namespace fairlead::client::http_test
