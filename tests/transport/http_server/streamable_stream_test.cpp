#include <fairlead/transport/streamable_http.hpp>
#include <gtest/gtest.h>

#include "support/mcp_endpoint.hpp"
#include "support/messages.hpp"
#include "support/sse_text.hpp"

namespace fairlead::transport::streamable_stream_test {
namespace {

using namespace test;
using Texts = std::vector<std::string>;

const std::string progress = R"({"jsonrpc":"2.0","method":"notifications/progress"})";

TEST(StreamableStream, S2_16_FirstMessageAsResponseIsJson) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  const auto call = mcp.call(session, "slow");
  mcp.send_to_client(result(1), 1);
  EXPECT_FALSE(call->streamed());
  EXPECT_EQ(call->head().content_type, "application/json");
  EXPECT_EQ(call->body(), R"({"jsonrpc":"2.0","id":1,"result":{}})");
}

TEST(StreamableStream, S2_18_MessagesBeforeTheResponseMakeAStream) {
  McpEndpoint mcp;
  const auto session = mcp.open("2025-06-18");
  const auto call = mcp.call(session, "slow");
  mcp.send_to_client(notice("notifications/progress"), 1);
  EXPECT_EQ(call->head().content_type, "text/event-stream");
  EXPECT_FALSE(call->ended());
  mcp.send_to_client(result(1), 1);
  EXPECT_EQ(event_data(call->body()), (Texts{progress, R"({"jsonrpc":"2.0","id":1,"result":{}})"}));
}

TEST(StreamableStream, S2_17_S2_20_StreamClosesAfterTheResponse) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  const auto call = mcp.call(session, "slow");
  mcp.send_to_client(notice("notifications/progress"), 1);
  EXPECT_FALSE(call->ended());
  mcp.send_to_client(result(1), 1);
  EXPECT_TRUE(call->ended());
  EXPECT_TRUE(call.done.done());
}

TEST(StreamableStream, S2_19_StaysOpenUntilTheResponse) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  const auto call = mcp.call(session, "slow");
  for (int i = 0; i < 50; ++i) mcp.send_to_client(notice("notifications/progress"), 1);
  EXPECT_FALSE(call->ended());
  EXPECT_EQ(event_data(call->body()).size(), 50u);
}

TEST(StreamableStream, S1_36_IsNeitherCachedNorBuffered) {
  McpEndpoint mcp;
  const auto stream = mcp.listen(mcp.open());
  EXPECT_EQ(stream->header("Cache-Control"), "no-cache, no-transform");
  EXPECT_EQ(stream->header("X-Accel-Buffering"), "no");
}

TEST(StreamableStream, S2_23_GetOpensAStreamAtOnce) {
  McpEndpoint mcp;
  const auto stream = mcp.listen(mcp.open("2025-03-26"));
  EXPECT_EQ(stream->status(), 200);
  EXPECT_EQ(stream->head().content_type, "text/event-stream");
  EXPECT_FALSE(stream->ended());
  stream->leave();
  mcp.loop().poll();
  EXPECT_TRUE(stream.done.done());
}

TEST(StreamableStream, S4_05_S2_24_SendsUnsolicitedMessages) {
  McpEndpoint mcp;
  const auto stream = mcp.listen(mcp.open("2025-03-26"));
  mcp.send_to_client(notice("notifications/tools/list_changed"));
  mcp.send_to_client(request(9, "roots/list"));
  EXPECT_EQ(event_data(stream->body()), (Texts{R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})",
                                               R"({"jsonrpc":"2.0","id":9,"method":"roots/list"})"}));
}

TEST(StreamableStream, S2_28_S2_24b_EveryMessageGoesToExactlyOneStream) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  const auto stream = mcp.listen(session);
  const auto first = mcp.call(session, "slow", 1);
  const auto second = mcp.call(session, "slow", 2);
  mcp.send_to_client(notice("about/1"), 1);
  mcp.send_to_client(notice("about/2"), 2);
  mcp.send_to_client(notice("about/nothing"));
  mcp.send_to_client(result(2), 2);
  mcp.send_to_client(result(1), 1);
  EXPECT_EQ(event_data(first->body()),
            (Texts{R"({"jsonrpc":"2.0","method":"about/1"})", R"({"jsonrpc":"2.0","id":1,"result":{}})"}));
  EXPECT_EQ(event_data(second->body()),
            (Texts{R"({"jsonrpc":"2.0","method":"about/2"})", R"({"jsonrpc":"2.0","id":2,"result":{}})"}));
  EXPECT_EQ(event_data(stream->body()), Texts{R"({"jsonrpc":"2.0","method":"about/nothing"})"});
}

TEST(StreamableStream, S2_25_ResponsesAreNeverSentOnTheGetStream) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  const auto stream = mcp.listen(session);
  mcp.send_to_client(result(77));
  EXPECT_EQ(event_data(stream->body()), Texts{});
}

TEST(StreamableStream, S2_26_S2_27_TheNewestGetWinsAndTheOldOneIsClosedCleanly) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  const auto old = mcp.listen(session);
  const auto fresh = mcp.listen(session);
  EXPECT_TRUE(old->ended());
  mcp.send_to_client(notice("a"));
  EXPECT_EQ(event_data(old->body()), Texts{});
  EXPECT_EQ(event_data(fresh->body()).size(), 1u);
}

TEST(StreamableStream, CancelledRequestEndsItsPost) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  const auto call = mcp.call(session, "slow");
  mcp.factory().session().transport->on_request_cancelled(1);
  mcp.loop().poll();
  EXPECT_TRUE(call->ended());
  EXPECT_EQ(event_data(call->body()), Texts{});
  mcp.send_to_client(result(1), 1);
  EXPECT_EQ(event_data(call->body()), Texts{});
}

TEST(StreamableStream, SlowCallBecomesAStreamWithKeepAlive) {
  McpEndpoint mcp({.keep_alive = std::chrono::milliseconds{20}});
  const auto session = mcp.open("2025-06-18");
  const auto call = mcp.call(session, "slow");
  const auto alive = [&] { return call->body().find(": keep-alive\n\n") != std::string::npos; };
  mcp.loop().run_until(alive);
  EXPECT_TRUE(call->streamed());
  mcp.send_to_client(result(1), 1);
  EXPECT_EQ(event_data(call->body()), Texts{R"({"jsonrpc":"2.0","id":1,"result":{}})"});
}

TEST(StreamableStream, SenderWaitsForASlowClient) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  const auto call = mcp.call(session, "slow");
  mcp.send_to_client(notice("begin"), 1);
  call->stall(true);
  const std::string large = "\"" + std::string(40 * 1024, 'x') + "\"";
  std::vector<Pending<Result<void>>> sent;
  for (int i = 0; i < 8; ++i) {
    sent.push_back(mcp.loop().start(mcp.factory().session().send(notice("n", large), 1)));
    mcp.loop().poll();
  }
  EXPECT_FALSE(sent.back().done());
  call->stall(false);
  mcp.loop().poll();
  EXPECT_TRUE(sent.back().done());
  EXPECT_EQ(event_data(call->body()).size(), 9u);
}

TEST(StreamableStream, ClientThatDoesNotReadTheGetStreamGetsResponses) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  const auto stream = mcp.listen(session);
  stream->stall(true);
  const std::string large = "\"" + std::string(40 * 1024, 'x') + "\"";
  for (int i = 0; i < 8; ++i) mcp.send_to_client(notice("n", large));
  const auto call = mcp.call(session, "slow");
  mcp.send_to_client(result(1), 1);
  EXPECT_TRUE(call->ended());
}

TEST(StreamableStream, LineBreakInAPayloadCannotInjectAnEvent) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  const auto call = mcp.call(session, "slow");
  mcp.send_to_client(notice("n", "{\"a\":\n\r\"x\\n\\ndata: forged\\n\\nid: 9\"}"), 1);
  mcp.send_to_client(result(1), 1);
  EXPECT_EQ(events(call->body()).size(), 3u);
  EXPECT_EQ(call->body().find("\ndata: forged"), std::string::npos);
}

TEST(StreamableStream, GetRequiresAcceptEvents) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  EXPECT_EQ(mcp.send("GET", {{"Mcp-Session-Id", session}, {"Accept", "application/json"}})->status(), 406);
}

TEST(StreamableStream, EndedSessionClosesItsGetStream) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  const auto stream = mcp.listen(session);
  mcp.send("DELETE", {{"Mcp-Session-Id", session}});
  mcp.loop().poll();
  EXPECT_TRUE(stream->ended());
}

}  // namespace
}  // namespace fairlead::transport::streamable_stream_test
