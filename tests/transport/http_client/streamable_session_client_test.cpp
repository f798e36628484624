#include <algorithm>

#include "transport/http_client/http_answers.hpp"
#include "transport/http_client/post.hpp"

namespace fairlead::transport::streamable_session_client_test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

constexpr auto initialize =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})";
constexpr auto initialized = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
constexpr auto list = R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})";
constexpr auto call = R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"add"}})";

std::string welcome(std::string_view revision = "2025-11-25", std::string_view fields = "Mcp-Session-Id: s-1\r\n") {
  return json_answer(R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":")" + std::string(revision) +
                         R"(","capabilities":{},"serverInfo":{"name":"x","version":"1"}}})",
                     fields);
}

/// A session after the handshake; the test scripts the other responses of the server.
class StreamableClientSession : public HttpTransportTest {
 protected:
  StreamableClient& open(Server::Script rest, std::string_view revision = "2025-11-25",
                         std::string_view fields = "Mcp-Session-Id: s-1\r\n") {
    server =
        &serve([rest = std::move(rest), hello = welcome(revision, fields)](const std::string& request, auto number) {
          return has_method(request, "initialize") ? hello : rest(request, number);
        });
    HttpClientOptions options{.url = server->url("/mcp")};
    options.resume_delay = 20ms;
    options.close_timeout = close_timeout;
    client = std::make_unique<StreamableClient>(loop.loop(), scope, options);
    send(*client, initialize);
    EXPECT_THAT(receive(*client), HasSubstr("protocolVersion"));
    return *client;
  }

  const std::string& request(std::size_t number) const { return server->requests().at(number); }

  Duration close_timeout = 30s;
  Server* server = nullptr;
  std::unique_ptr<StreamableClient> client;
};

TEST_F(StreamableClientSession, AcceptsJsonAndEvents) {
  open(nullptr);
  EXPECT_THAT(request(0), HasSubstr("POST /mcp HTTP/1.1\r\n"));
  EXPECT_THAT(request(0), HasSubstr("Content-Type: application/json\r\n"));
  EXPECT_THAT(request(0), HasSubstr("Accept: application/json, text/event-stream\r\n"));
  EXPECT_EQ(body_of(request(0)), initialize);
}

TEST_F(StreamableClientSession, SendsTraceContextInHeaders) {
  auto& it = open([](const std::string&, auto) { return json_answer(R"({"jsonrpc":"2.0","id":3,"result":{}})"); });
  send(it, R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"add","_meta":{"traceparent":"00-a-b-01",)"
           R"("tracestate":"k=v","baggage":"a\r\nEvil: yes"}}})");
  receive(it);
  EXPECT_THAT(request(1), HasSubstr("\r\ntraceparent: 00-a-b-01\r\ntracestate: k=v\r\n"));
  EXPECT_THAT(request(1).substr(0, request(1).find("\r\n\r\n")), Not(HasSubstr("Evil")));
  send(it, call);
  receive(it);
  EXPECT_THAT(request(2), Not(HasSubstr("traceparent")));
  send(it,
       R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"add","_meta":{"traceparent":"00-c-d-01"}}})");
  receive(it);
  EXPECT_THAT(request(3), HasSubstr("\r\ntraceparent: 00-c-d-01\r\n"));
}

TEST_F(StreamableClientSession, ForwardsServerTiming) {
  auto& it = open([](const std::string&, auto) {
    return json_answer(R"({"jsonrpc":"2.0","id":3,"result":{}})", "server-timing: db;dur=2\r\nX-Other: 1\r\n");
  });
  send(it, call);
  const auto received = loop.run(it.receive());
  const auto& answer = std::get<jsonrpc::Response>(std::get<jsonrpc::Message>(*received));
  ASSERT_TRUE(answer.headers);
  EXPECT_EQ(*answer.headers, (jsonrpc::MessageHeaders{{"Server-Timing", "db;dur=2"}}));
}

TEST_F(StreamableClientSession, SendsItsIdOnPostGetAndDelete_S2_36_SessionIdOnEveryLaterRequest) {
  auto& it = open([](const std::string& request, auto) {
    if (request.starts_with("GET")) return event_answer("", true);
    return request.starts_with("DELETE") ? whole("200 OK", "", "") : accepted();
  });
  EXPECT_THAT(request(0), Not(HasSubstr("Mcp-Session-Id")));
  send(it, initialized);
  turn_until([&] { return server->requests().size() == 3; });
  finish(it);
  ASSERT_EQ(server->requests().size(), 4U);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_THAT(request(i), HasSubstr("Mcp-Session-Id: s-1\r\n")) << i;
}

TEST_F(StreamableClientSession, SendsDelete_S2_40_DeleteWhenDone) {
  auto& it = open([](const auto&, auto) { return whole("405 Method Not Allowed", "", ""); });
  finish(it);
  ASSERT_EQ(server->requests().size(), 2U);
  EXPECT_THAT(request(1), HasSubstr("DELETE /mcp HTTP/1.1\r\n"));
}

TEST_F(StreamableClientSession, LimitsTheTimeOfDelete) {
  close_timeout = 50ms;
  auto& it = open([](const auto&, auto) { return std::string(Server::no_response); });
  client->close();
  client.reset();
  (void)it;
  loop.run(joined(scope));
}

TEST_F(StreamableClientSession, ReportsNotProcessedAfter404_S2_39_StartOverAfter404) {
  auto& it = open([](const auto&, auto) {
    return whole("404 Not Found", "Content-Type: application/json\r\n",
                 R"({"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null})");
  });
  send(it, list);
  const auto lost = receive_lost(it);
  EXPECT_EQ(lost.error.kind, ErrorKind::closed);
  EXPECT_EQ(lost.error.cause, cause_not_processed);
  EXPECT_THAT(receive(it), HasSubstr("closed:"));
  finish(it);
  EXPECT_EQ(server->requests().size(), 2U) << "a session that is gone needs no DELETE";
}

TEST_F(StreamableClientSession, ReportsEveryPendingRequestAsNotProcessed) {
  auto& it = open([](const auto&, auto) { return whole("404 Not Found", "", "gone"); });
  send(it, list);
  send(it, call);
  EXPECT_EQ(receive_lost(it).error.cause, cause_not_processed);
  EXPECT_EQ(receive_lost(it).error.cause, cause_not_processed);
  EXPECT_THAT(receive(it), HasSubstr("closed:"));
}

TEST_F(StreamableClientSession, TreatsA404WithARequestErrorAsResponse) {
  auto& it = open([](const auto&, auto) {
    return whole("404 Not Found", "", R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"no"},"id":2})");
  });
  send(it, list);
  EXPECT_THAT(receive(it), HasSubstr(R"("code":-32601)"));
}

TEST_F(StreamableClientSession, SendsTheNegotiatedVersion) {
  auto& it =
      open([](const auto&, auto) { return json_answer(R"({"jsonrpc":"2.0","id":2,"result":{}})"); }, "2025-06-18");
  send(it, list);
  receive(it);
  EXPECT_THAT(request(0), Not(HasSubstr("MCP-Protocol-Version")));
  EXPECT_THAT(request(1), HasSubstr("MCP-Protocol-Version: 2025-06-18\r\n"));
}

TEST_F(StreamableClientSession, SendsNoVersionHeaderBeforeNegotiation) {
  auto& it =
      open([](const auto&, auto) { return json_answer(R"({"jsonrpc":"2.0","id":2,"result":{}})"); }, "2025-03-26");
  send(it, list);
  receive(it);
  EXPECT_THAT(request(1), Not(HasSubstr("MCP-Protocol-Version")));
}

TEST_F(StreamableClientSession, ReceivesAllMessagesOfARequestStream) {
  auto& it = open([](const auto&, auto) {
    return event_answer(
        "id: 1\ndata: \n\n: hi\n\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n"
        "event: other\ndata: {}\n\n"
        "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"roots/list\"}\n\n"
        "data: {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"a\":1}}\n\n");
  });
  send(it, call);
  EXPECT_EQ(receive(it), R"(about 3: {"jsonrpc":"2.0","method":"notifications/progress"})");
  EXPECT_EQ(receive(it), R"(about 3: {"jsonrpc":"2.0","id":9,"method":"roots/list"})");
  EXPECT_THAT(receive(it), HasSubstr(R"("id":3,"result":{"a":1})"));
}

TEST_F(StreamableClientSession, SplitsABatch) {
  auto& it = open(
      [](const auto&, auto) {
        return json_answer(
            R"([{"jsonrpc":"2.0","method":"notifications/message"},{"jsonrpc":"2.0","id":2,"result":{}}])");
      },
      "2025-03-26");
  send(it, list);
  EXPECT_THAT(receive(it), HasSubstr("notifications/message"));
  EXPECT_THAT(receive(it), HasSubstr(R"("id":2)"));
}

TEST_F(StreamableClientSession, ResumesAStreamThatBrokeBeforeTheResponse) {
  auto& it = open([](const std::string& request, auto) {
    if (request.starts_with("POST")) return event_answer("id: e-1\nretry: 30\ndata: \n\n");
    return event_answer("id: e-2\ndata: {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}\n\n");
  });
  const auto before = std::chrono::steady_clock::now();
  send(it, call);
  EXPECT_EQ(receive(it), "paused 3");
  EXPECT_THAT(receive(it), HasSubstr(R"("id":3)"));
  EXPECT_GE(std::chrono::steady_clock::now() - before, 30ms);
  ASSERT_EQ(server->requests().size(), 3U);
  EXPECT_THAT(request(2), HasSubstr("GET /mcp"));
  EXPECT_THAT(request(2), HasSubstr("Last-Event-ID: e-1\r\n"));
  EXPECT_THAT(request(2), HasSubstr("Accept: text/event-stream\r\n"));
}

TEST_F(StreamableClientSession, StopsResumingAStreamWithoutProgress) {
  auto& it = open([](const std::string& request, auto) {
    return request.starts_with("POST") ? event_answer("id: e-1\ndata: \n\n") : event_answer("");
  });
  send(it, call);
  EXPECT_EQ(receive(it), "paused 3");
  EXPECT_EQ(receive_lost(it).error.kind, ErrorKind::closed);
  EXPECT_EQ(server->requests().size(), 2U + 5U);
}

TEST_F(StreamableClientSession, FailsARequestWhoseStreamHasNoIds) {
  auto& it = open([](const auto&, auto) { return event_answer(": nothing\n\n"); });
  send(it, call);
  EXPECT_EQ(receive_lost(it).error.kind, ErrorKind::closed);
  EXPECT_EQ(server->requests().size(), 2U);
}

TEST_F(StreamableClientSession, ReceivesUnsolicitedMessages) {
  auto& it = open([n = 0](const std::string& request, auto) mutable {
    if (request.starts_with("POST")) return accepted();
    if (++n == 1) return event_answer("id: g-1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"first\"}\n\n");
    return event_answer("data: {\"jsonrpc\":\"2.0\",\"method\":\"second\"}\n\n", true);
  });
  send(it, initialized);
  EXPECT_THAT(receive(it), HasSubstr("first"));
  EXPECT_THAT(receive(it), HasSubstr("second"));
  EXPECT_THAT(request(3), HasSubstr("Last-Event-ID: g-1\r\n"));
}

TEST_F(StreamableClientSession, WorksWithoutAGetStream) {
  auto& it = open([](const std::string& request, auto) {
    if (request.starts_with("GET")) return whole("405 Method Not Allowed", "", "");
    return has(request, "tools/list") ? json_answer(R"({"jsonrpc":"2.0","id":2,"result":{}})") : accepted();
  });
  send(it, initialized);
  send(it, list);
  EXPECT_THAT(receive(it), HasSubstr(R"("id":2)"));
  turn_until([&] { return scope.count() == 0; });
}

TEST_F(StreamableClientSession, SendsCancelledAndClosesTheStream) {
  auto& it = open([](const std::string& request, auto) {
    return has_method(request, "notifications/cancelled") ? accepted() : event_answer("", true);
  });
  send(it, call);
  turn_until([&] { return server->requests().size() == 2; });
  send(it, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}})");
  turn_until([&] { return server->ended() == 1; });
  EXPECT_TRUE(has_method(request(2), "notifications/cancelled"));
}

TEST_F(StreamableClientSession, MatchesConcurrentResponses) {
  auto& it = open([](const std::string& request, auto) {
    return json_answer(has(request, R"("id":2)") ? R"({"jsonrpc":"2.0","id":2,"result":{"two":2}})"
                                                 : R"({"jsonrpc":"2.0","id":3,"result":{"three":3}})");
  });
  send(it, list);
  send(it, call);
  const auto both = receive(it) + receive(it);
  EXPECT_THAT(both, HasSubstr(R"("id":2,"result":{"two":2})"));
  EXPECT_THAT(both, HasSubstr(R"("id":3,"result":{"three":3})"));
}

TEST_F(StreamableClientSession, Finding_S13_InvalidResponseInAnEventEndsTheRequest) {
  auto& it = open([](const std::string&, auto) {
    return event_answer("data: {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":\"\xff\"}\n\n", true);
  });
  send(it, call);
  const auto received = loop.run(it.receive());
  ASSERT_TRUE(received && std::holds_alternative<InvalidMessage>(*received)) << test::text(received);
  EXPECT_EQ(std::get<InvalidMessage>(*received).reply.answered_id, jsonrpc::Id(3));
}

TEST_F(StreamableClientSession, Finding_S10_DropsNotificationsToASlowServer) {
  auto& it = open([](const std::string& sent, auto) {
    return has_method(sent, "notifications/x") ? std::string(Server::no_response)
                                               : json_answer(R"({"jsonrpc":"2.0","id":2,"result":{}})");
  });
  const auto notice =
      R"({"jsonrpc":"2.0","method":"notifications/x","params":{"text":")" + std::string(1'000'000, 'x') + R"("}})";
  for (int i = 0; i < 10; ++i) send(it, notice);
  EXPECT_TRUE(loop.log().contains("dropped notifications/x"));
  send(it, list);
  EXPECT_THAT(receive(it), HasSubstr(R"("id":2)"));
  std::size_t arrived = 0;
  for (const auto& sent : server->requests()) arrived += has_method(sent, "notifications/x") ? 1U : 0U;
  EXPECT_LE(arrived, 6U);
}

TEST_F(StreamableClientSession, Finding_S19_LimitsTheResumeRate) {
  const HttpClientOptions options;
  const auto after = [&](std::optional<Duration> retry, std::size_t in_vain) {
    return ResumePoint{.retry = retry}.delay(options, in_vain);
  };
  EXPECT_EQ(after(0ms, 0), 100ms);
  EXPECT_EQ(after(0ms, 1), 200ms);
  EXPECT_EQ(after(0ms, 3), 800ms);
  EXPECT_EQ(after(0ms, 1000), 5s);
  EXPECT_EQ(after(500ms, 0), 500ms);
  EXPECT_EQ(after(20s, 7), 20s);
  EXPECT_EQ(after({}, 0), options.resume_delay);
}

TEST_F(StreamableClientSession, Finding_S19_RetryZeroUsesBackoff) {
  const auto begin = std::chrono::steady_clock::now();
  auto& it = open([](const std::string& sent, auto) {
    return sent.starts_with("GET") ? event_answer("retry: 0\ndata:\n\n") : accepted();
  });
  send(it, initialized);
  const auto gets = [&] {
    return std::ranges::count_if(server->requests(), [](const auto& sent) { return sent.starts_with("GET"); });
  };
  turn_until([&] { return gets() >= 3; });
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 300ms);
}

TEST_F(StreamableClientSession, Finding_S19_RetryZeroUsesBackoffForAnInterruptedCallStream) {
  const auto begin = std::chrono::steady_clock::now();
  auto& it = open([](const std::string&, auto) { return event_answer("id: e-1\nretry: 0\ndata: \n\n"); });
  send(it, call);
  turn_until([&] { return server->requests().size() >= 5; });
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 700ms) << "100, 200 and 400 ms before the three GETs";
}

}  // namespace
}  // namespace fairlead::transport::streamable_session_client_test
