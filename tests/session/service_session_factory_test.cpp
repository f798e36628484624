#include <fairlead/session/service_session_factory.hpp>

#include <fairlead/base/start_task.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "session/session_fixture.hpp"

/// Requests that belong to no session.
namespace fairlead::session::service_session_factory_test {
namespace {

constexpr auto plain = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}})";
constexpr auto enveloped = R"({"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"a","_meta":{)"
                           R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                           R"("io.modelcontextprotocol/clientCapabilities":{}}}})";

jsonrpc::Request read(std::string text) {
  return std::get<jsonrpc::Request>(std::get<jsonrpc::Message>(*jsonrpc::read(std::move(text))));
}

Task<Result<Reply>> at_once(Call& call) {
  return Reply{.body = json::Payload::trusted(R"({"content":[],"for":")" + call.context.principal + "\"}")};
}

/// Collects notifications.
struct CollectingSink final : transport::NotificationSink {
  Task<Result<void>> send(jsonrpc::Notification notification) override {
    received.push_back(jsonrpc::write(notification));
    return Result<void>();
  }
  std::vector<std::string> received;
};

class StatelessRequestTest : public testing::Test {
 protected:
  Task<jsonrpc::Message> respond(std::string text, transport::PeerInfo peer = {.principal = "ann"}) {
    return factory.respond({io.get_executor(), timers, log}, read(std::move(text)), std::move(peer), sink);
  }
  /// The response to a request that is answered without a wait.
  std::string response_to(std::string text, transport::PeerInfo peer = {.principal = "ann"}) {
    auto responding = respond(std::move(text), std::move(peer));
    EXPECT_TRUE(responding.is_ready());
    return jsonrpc::write(responding.take());
  }

  boost::asio::io_context io;
  ManualClock clock;
  TimerWheel timers{clock};
  CapturingSink log;
  TestService service;
  CollectingSink sink;
  ServiceSessionFactory factory{service};
};

TEST_F(StatelessRequestTest, IsReadyIfTheServiceDoesNotWait) {
  service.on_call = at_once;
  EXPECT_EQ(response_to(enveloped),
            R"({"jsonrpc":"2.0","id":"x","result":{"content":[],"for":"ann","resultType":"complete"}})");
  EXPECT_EQ(factory.active_sessions(), 0u);
}

TEST_F(StatelessRequestTest, ReturnsTheResponseOfAServiceThatWaits) {
  Promise<bool> gate;
  service.on_call = [&](Call& call) -> Task<Result<Reply>> {
    co_await call.context.peer->notify("progress", json::Payload::trusted("{}"));
    co_await gate.wait();
    co_return co_await at_once(call);
  };
  std::string response;
  auto responding = respond(enveloped);
  EXPECT_FALSE(responding.is_ready());
  start(io.get_executor(), std::move(responding),
        [&](TaskOutcome<jsonrpc::Message> outcome) { response = jsonrpc::write(outcome.value()); });
  EXPECT_EQ(factory.active_sessions(), 1u);
  EXPECT_EQ(sink.received, std::vector<std::string>{R"({"jsonrpc":"2.0","method":"progress","params":{}})"});
  EXPECT_EQ(response, "");
  gate.set(true);
  EXPECT_EQ(response, R"({"jsonrpc":"2.0","id":"x","result":{"content":[],"for":"ann","resultType":"complete"}})");
  EXPECT_EQ(factory.active_sessions(), 0u);
}

TEST_F(StatelessRequestTest, IsCancelledIfItsTaskIsStopped) {
  Promise<bool> never;
  bool cancelled = false;
  service.on_call = [&](Call&) -> Task<Result<Reply>> {
    const auto set = co_await never.wait();
    cancelled = !set;
    co_return fail(ErrorKind::cancelled, "cancelled");
  };
  StopSource stop;
  bool ended = false;
  start(io.get_executor(), respond(enveloped), [&](TaskOutcome<jsonrpc::Message>) { ended = true; }, &stop);
  stop.request_stop();
  io.poll();
  EXPECT_TRUE(cancelled);
  EXPECT_TRUE(ended);
}

TEST_F(StatelessRequestTest, CannotCallItsClient) {
  std::vector<std::string> errors;
  service.on_call = [&](Call& call) -> Task<Result<Reply>> {
    auto asking = call.context.peer->request("elicitation/create", json::Payload::trusted("{}"));
    errors.push_back(asking.take().error().message);
    return at_once(call);
  };
  response_to(enveloped);
  response_to(plain);
  EXPECT_THAT(errors,
              testing::ElementsAre(testing::HasSubstr("send no requests"), testing::HasSubstr("cannot be called")));
}

TEST_F(StatelessRequestTest, DoesNotSendExceptionTexts) {
  service.on_call = [](Call&) -> Task<Result<Reply>> { throw std::runtime_error("/etc/secret"); };
  const auto answer = response_to(enveloped);
  EXPECT_NE(answer.find("-32603"), std::string::npos);
  EXPECT_EQ(answer.find("secret"), std::string::npos);
}

TEST_F(StatelessRequestTest, OfAToolOnlyClientNeedsNoHandshake) {
  service.on_call = at_once;
  ServiceSessionFactory strict(service, {.handshake = HandshakePolicy::strict});
  const EventLoop loop{io.get_executor(), timers, log};
  auto refused = strict.respond(loop, read(plain), {}, sink);
  EXPECT_NE(jsonrpc::write(refused.take()).find("send initialize before"), std::string::npos);
  auto allowed = strict.respond(loop, read(plain), {.tool_calls_only = true}, sink);
  EXPECT_NE(jsonrpc::write(allowed.take()).find("content"), std::string::npos);
}

}  // namespace
}  // namespace fairlead::session::service_session_factory_test
