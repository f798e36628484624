#include <boost/asio/post.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/json/writer.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "integration/http_server_fixture.hpp"

/// HTTP headers that are forwarded with messages, on every endpoint.
namespace fairlead::forwarded_headers_test {
namespace {

using namespace test;
using testing::HasSubstr;
using testing::Not;

/// Returns the request headers it got, and sets a response header.
class HeaderEchoService final : public session::Service {
 public:
  explicit HeaderEchoService(bool at_once) : at_once_(at_once) {}

  Task<Result<session::Reply>> call(session::Call& call) override {
    if (at_once_) return answer(call);
    return call_later(call);
  }
  Task<void> notify(session::Notification&) override { co_return; }

 private:
  static Task<Result<session::Reply>> call_later(session::Call& call) {
    co_await boost::asio::post(use_task);
    co_return answer(call);
  }
  static Result<session::Reply> answer(session::Call& call) {
    if (call.method == "initialize") {
      return session::Reply{
          .body = json::Payload::trusted(
              R"({"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"p","version":"1"}})")};
    }
    std::string seen;
    if (call.context.request_headers) {
      for (const auto& [name, value] : *call.context.request_headers) seen += name + "=" + value + ";";
    }
    call.context.response_headers =
        std::make_shared<jsonrpc::MessageHeaders>(jsonrpc::MessageHeaders{{"Server-Timing", "porter;dur=1"}});
    if (call.params.text().find("\"bad\"") != std::string_view::npos) {
      return fail(ErrorKind::closed, "the service failed");
    }
    std::string text;
    json::write_string(text, seen);
    return session::Reply{.body = json::Payload::trusted(R"({"content":[{"type":"text","text":)" + text + "}]}")};
  }

  bool at_once_;
};

/// The parameter: whether the service answers immediately or later.
class ForwardedHeadersTest : public testing::TestWithParam<bool> {
 protected:
  ForwardedHeadersTest()
      : porter_(GetParam()), host_(porter_), workers_(1, log_), listener_(workers_, log_, {}, maker()) {
    host_.forward_headers({"X-Team", "traceparent"});
    EXPECT_TRUE(listener_.open());
    workers_.start();
  }
  ~ForwardedHeadersTest() override { listener_.stop(std::chrono::seconds{1}); }

  RawAnswer post(std::string_view path, std::string_view body, const std::string& lines) {
    RawClient client(listener_.port());
    client.send_request("POST", path, HttpServerFixture::usual + lines, body);
    return client.answer();
  }

  std::string open_session() {
    const auto answer = post(
        "/mcp",
        R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}})",
        "");
    const auto at = answer.head.find("Mcp-Session-Id: ");
    return at == std::string::npos ? "" : answer.head.substr(at, answer.head.find("\r\n", at) + 2 - at);
  }

  static void expect_carried(const RawAnswer& answer) {
    EXPECT_THAT(answer.body, HasSubstr("X-Team=blue;"));
    EXPECT_THAT(answer.body, Not(HasSubstr("hunter2")));
    EXPECT_THAT(answer.head, HasSubstr("Server-Timing: porter;dur=1\r\n"));
  }

  inline static const std::string team = "x-team: blue\r\nAuthorization: Bearer hunter2\r\n";

 private:
  http::MakeHandler maker() {
    return [this](EventLoop loop, std::size_t worker) { return transport::make_mcp_http_handler(loop, worker, host_); };
  }

  CapturingSink log_;
  HeaderEchoService porter_;
  session::ServiceSessionFactory host_;
  Workers workers_;
  http::Listener listener_;
};

INSTANTIATE_TEST_SUITE_P(ImmediateAndDeferred, ForwardedHeadersTest, testing::Bool());

TEST_P(ForwardedHeadersTest, ReachTheHandlerInASession) {
  const auto session = open_session();
  expect_carried(post("/mcp", tool_call(1, "a"), session + team));
}

TEST_P(ForwardedHeadersTest, ReachTheHandlerOfAStatelessRequest) {
  expect_carried(post("/mcp", stateless_call(7, "a"), stateless_lines("a") + team));
}

TEST_P(ForwardedHeadersTest, ReachTheHandlerOfAPlainToolCall) {
  expect_carried(post("/rpc", tool_call(1, "a"), team));
}

TEST_P(ForwardedHeadersTest, BelongToOneRequestOnly) {
  const auto session = open_session();
  post("/mcp", tool_call(1, "a"), session + team);
  EXPECT_THAT(post("/mcp", tool_call(2, "a"), session).body, Not(HasSubstr("blue")));
}

TEST_P(ForwardedHeadersTest, ReturnWithAnError) {
  const auto session = open_session();
  const auto answer = post("/mcp", tool_call(1, "bad"), session);
  EXPECT_THAT(answer.body, HasSubstr("the service failed"));
  EXPECT_THAT(answer.head, HasSubstr("Server-Timing: porter;dur=1\r\n"));
}

}  // namespace
}  // namespace fairlead::forwarded_headers_test
