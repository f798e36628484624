#include <fairlead/base/asio_task.hpp>
#include <fairlead/json/codec.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "integration/transport_pairs.hpp"
#include "support/messages.hpp"

/// From a client through a session and a filter to a server in another process, and back.
namespace fairlead::test::pipeline_test {
namespace {

using session::Notification;
using session::Service;
using testing::ElementsAre;
using testing::HasSubstr;

/// A typical filter: rejects one tool, renames another, records methods, and forwards the rest.
class Filter final : public Service {
 public:
  explicit Filter(Service& next) : next_(next) {}

  Task<Result<Reply>> call(Call& call) override {
    seen.push_back(call.method);
    if (call.params.text().find(R"("name":"forbidden")") != std::string_view::npos) return refuse();
    if (call.params.text().find(R"("name":"say")") != std::string_view::npos) {
      call.params = tool_call("echo", R"({"text":"renamed"})").params;
    }
    return pass_on(call);
  }
  Task<void> notify(Notification& notice) override {
    seen.push_back(notice.method);
    return next_.notify(notice);
  }

  std::vector<std::string> seen;

 private:
  static Task<Result<Reply>> refuse() {
    co_return std::unexpected(protocol::protocol_error(protocol::ProtocolError::unknown_tool, "", "forbidden"));
  }
  Task<Result<Reply>> pass_on(Call& call) {
    // Do not forward the caller's channel and deadline.
    Call next{.method = call.method, .params = call.params};
    co_return co_await next_.call(next);
  }

  Service& next_;
};

/// Lines in and out; between them a session with the client, the filter, and a session with the server process.
class Pipeline : public testing::Test {
 protected:
  Pipeline() {
    auto [near, far] = transport::memory_byte_pair(loop_.loop());
    client_ = std::move(near);
    front_wire_ = std::make_unique<transport::FramedTransport>(loop_.loop(), std::move(far));
    session::SessionOptions asking;
    asking.side = session::Side::client;
    upstream_.emplace(loop_.loop(), *upstream_wire_.client, roots_, asking);
    filter_.emplace(upstream_->peer());
    front_.emplace(loop_.loop(), *front_wire_, *filter_);
    start(*upstream_);
    start(*front_);
  }
  ~Pipeline() override {
    upstream_->close();
    client_->close();
    while (running_ > 0) loop_.io.run_one();
  }

  void start(session::Session& session) {
    ++running_;
    async_start(loop_.io, session.run(), [this](const std::exception_ptr&, const Result<void>&) { --running_; });
  }

  std::string exchange(const std::string& line) {
    EXPECT_TRUE(wait_for(loop_, client_->write(line + "\n")));
    std::string received;
    while (!received.ends_with('\n')) {
      std::string buffer(4096, '\0');
      buffer.resize(wait_for(loop_, client_->read(buffer)).value());
      received += buffer;
    }
    return received;
  }

  SessionLoop loop_;
  TransportPair upstream_wire_ = over_child(loop_);
  RootsService roots_;
  std::unique_ptr<transport::ByteStream> client_;
  std::unique_ptr<Transport> front_wire_;
  std::optional<session::Session> upstream_;
  std::optional<Filter> filter_;
  std::optional<session::Session> front_;
  int running_ = 0;
};

constexpr auto open_line =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{}}})";

TEST_F(Pipeline, S3_34_EveryMethodPassesTheFilterToTheServerAndBack) {
  EXPECT_THAT(exchange(open_line), HasSubstr(R"("serverInfo":{"name":"dialogue")"));
  EXPECT_THAT(exchange(R"({"jsonrpc":"2.0","method":"initialized"}
{"jsonrpc":"2.0","id":"l","method":"tools/list"})"),
              HasSubstr(R"("name":"echo")"));
  EXPECT_THAT(exchange(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"say","arguments":{}}})"),
              HasSubstr(R"("text":"renamed")"));
  EXPECT_THAT(filter_->seen, ElementsAre("initialize", "notifications/initialized", "tools/list", "tools/call"));
}

TEST_F(Pipeline, S3_34_AFilterMayAnswerInsteadOfTheServer) {
  exchange(open_line);
  const auto refused = exchange(R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"forbidden"}})");
  EXPECT_THAT(refused, HasSubstr(R"("id":3,"error")"));
  EXPECT_THAT(refused, HasSubstr("forbidden"));
}

TEST_F(Pipeline, S3_33_TheFirstSessionKeepsProtocolState) {
  EXPECT_EQ(front_->revision(), nullptr);
  EXPECT_THAT(exchange(R"({"jsonrpc":"2.0","id":4})"), HasSubstr("-32600"));
  exchange(open_line);
  ASSERT_NE(front_->revision(), nullptr);
  EXPECT_EQ(front_->revision()->name, "2025-03-26");
  EXPECT_THAT(exchange(R"({"jsonrpc":"2.0","id":5,"method":"server/discover"})"), HasSubstr("-32601"));
  EXPECT_THAT(exchange("{"), HasSubstr("-32700"));
  EXPECT_THAT(filter_->seen, ElementsAre("initialize"));
}

TEST_F(Pipeline, S3_34_ServerErrorsPassUnchanged) {
  exchange(open_line);
  EXPECT_THAT(exchange(R"({"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"none"}})"),
              HasSubstr(R"("id":6,"error":{"code":-32602,"message":"Unknown tool: none")"));
}

}  // namespace
}  // namespace fairlead::test::pipeline_test
