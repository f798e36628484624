#include <fairlead/transport/streamable_http.hpp>
#include <gtest/gtest.h>
#include <set>

#include "support/mcp_endpoint.hpp"
#include "support/sse_text.hpp"
#include "transport/http_server/http_session.hpp"

namespace fairlead::transport::streamable_resume_test {
namespace {

using namespace test;
using Texts = std::vector<std::string>;

TEST(StreamableResume, StoresEventsForTheNextGet) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  mcp.send_to_client(notice("a"));
  mcp.send_to_client(notice("b"));
  const auto stream = mcp.listen(session);
  EXPECT_EQ(event_data(stream->body()).size(), 2u);
  stream->leave();
  mcp.loop().poll();
  const auto later = mcp.listen(session);
  EXPECT_EQ(event_data(later->body()), Texts{});
}

TEST(StreamableResume, StartsWithAPrimingEvent) {
  McpEndpoint mcp({.retry = std::chrono::milliseconds{500}});
  const auto stream = mcp.listen(mcp.open("2025-11-25"));
  EXPECT_EQ(stream->body(), "id: 0-0.1\nretry: 500\ndata: \n\n");
  const auto older = mcp.listen(mcp.open("2025-06-18"));
  EXPECT_EQ(older->body(), "");
}

TEST(StreamableResume, S2_29_IdsAreUniqueInASession) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  std::set<std::string> ids;
  std::size_t count = 0;
  for (int id = 1; id <= 3; ++id) {
    const auto call = mcp.call(session, "slow", id);
    const auto stream = mcp.listen(session);
    mcp.send_to_client(notice("x"), id);
    mcp.send_to_client(notice("y"));
    mcp.send_to_client(result(id), id);
    for (const auto& each : {&call, &stream}) {
      for (const auto& event : events((*each)->body())) {
        ids.insert(event.id);
        ++count;
      }
    }
    stream->leave();
    mcp.loop().poll();
  }
  EXPECT_EQ(count, 15u);
  EXPECT_EQ(ids.size(), count);
}

TEST(StreamableResume, S2_21_DisconnectDoesNotCancelInASession) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  const auto call = mcp.call(session, "slow");
  call->leave();
  mcp.loop().poll();
  EXPECT_TRUE(call.done.done());
  EXPECT_FALSE(mcp.factory().session().closed);
  EXPECT_EQ(mcp.factory().session().received.size(), 2u);
}

TEST(StreamableResume, S2_22_S2_30_S2_31_ResumesABrokenPostStreamByGet) {
  McpEndpoint mcp;
  const auto session = mcp.open("2025-06-18");
  const auto call = mcp.call(session, "slow");
  mcp.send_to_client(notice("one"), 1);
  const auto id = last_id(call->body());
  call->leave();
  mcp.loop().poll();
  mcp.send_to_client(notice("two"), 1);
  const auto resumed = mcp.listen(session, {{"Last-Event-ID", id}});
  mcp.send_to_client(result(1), 1);
  EXPECT_EQ(event_data(resumed->body()),
            (Texts{R"({"jsonrpc":"2.0","method":"two"})", R"({"jsonrpc":"2.0","id":1,"result":{}})"}));
  EXPECT_TRUE(resumed->ended());
}

TEST(StreamableResume, S2_31_ReplaysAResponseSentWhileDisconnected) {
  McpEndpoint mcp;
  const auto session = mcp.open("2025-06-18");
  const auto call = mcp.call(session, "slow");
  mcp.send_to_client(notice("one"), 1);
  call->leave();
  mcp.loop().poll();
  mcp.send_to_client(result(1), 1);
  const auto resumed = mcp.listen(session, {{"Last-Event-ID", last_id(call->body())}});
  EXPECT_EQ(event_data(resumed->body()), Texts{R"({"jsonrpc":"2.0","id":1,"result":{}})"});
  EXPECT_TRUE(resumed->ended());
}

TEST(StreamableResume, S2_32_ReplaysOnlyTheSameStream) {
  McpEndpoint mcp;
  const auto session = mcp.open("2025-06-18");
  const auto mine = mcp.call(session, "slow", 1);
  const auto theirs = mcp.call(session, "slow", 2);
  mcp.send_to_client(notice("mine"), 1);
  const auto id = last_id(mine->body());
  mine->leave();
  mcp.loop().poll();
  mcp.send_to_client(notice("theirs"), 2);
  mcp.send_to_client(notice("unasked"));
  mcp.send_to_client(result(2), 2);
  const auto resumed = mcp.listen(session, {{"Last-Event-ID", id}});
  EXPECT_EQ(event_data(resumed->body()), Texts{});
}

TEST(StreamableResume, ResumesTheGetStreamFromAnyEvent) {
  McpEndpoint mcp;
  const auto session = mcp.open("2025-11-25");
  const auto stream = mcp.listen(session);
  mcp.send_to_client(notice("a"));
  mcp.send_to_client(notice("b"));
  mcp.send_to_client(notice("c"));
  const auto first = events(stream->body()).at(1).id;
  stream->leave();
  mcp.loop().poll();
  mcp.send_to_client(notice("d"));
  const auto resumed = mcp.listen(session, {{"Last-Event-ID", first}});
  EXPECT_EQ(event_data(resumed->body()).size(), 3u);
}

TEST(StreamableResume, UnreadGetStreamEndsAndEventsWait) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  const auto stream = mcp.listen(session);
  stream->stall(true);
  const std::string large = "\"" + std::string(40 * 1024, 'x') + "\"";
  for (int i = 0; i < 6; ++i) mcp.send_to_client(notice("n", large));
  stream->stall(false);
  mcp.loop().poll();
  EXPECT_TRUE(stream->ended());
  const auto received_count = event_data(stream->body()).size();
  EXPECT_LT(received_count, 6u);
  const auto resumed = mcp.listen(session, {{"Last-Event-ID", last_id(stream->body())}});
  EXPECT_EQ(received_count + event_data(resumed->body()).size(), 6u);
}

TEST(StreamableResume, LastEventIdOfAnotherSessionReplaysNothing) {
  McpEndpoint mcp;
  const auto theirs = mcp.open("2025-06-18");
  const auto call = mcp.call(theirs, "slow", 1);
  mcp.send_to_client(notice("secret"), 1);
  const auto id = last_id(call->body());
  const auto mine = mcp.open("2025-06-18");
  const auto stream = mcp.listen(mine, {{"Last-Event-ID", id}});
  EXPECT_EQ(stream->status(), 400);
  EXPECT_EQ(stream->body().find("secret"), std::string::npos);
}

TEST(StreamableResume, UnknownEventIdIs400) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  for (const auto* id : {"garbage", "7-1", "0-1\r\ndata: x", "-1-1", ""}) {
    EXPECT_EQ(mcp.listen(session, {{"Last-Event-ID", id}})->status(), 400) << id;
  }
}

TEST(StreamableResume, HandlerCanReleaseItsStreamAndRespondOnGet) {
  McpEndpoint mcp({.retry = std::chrono::milliseconds{500}});
  const auto session = mcp.open("2025-11-25");
  const auto call = mcp.call(session, "slow");
  mcp.factory().session().transport->release_stream(1);
  mcp.loop().poll();
  EXPECT_EQ(call->body(), "id: 1-0\nretry: 500\ndata: \n\n");
  EXPECT_TRUE(call->ended());
  const auto resumed = mcp.listen(session, {{"Last-Event-ID", "1-0"}});
  mcp.send_to_client(result(1), 1);
  EXPECT_EQ(event_data(resumed->body()), Texts{R"({"jsonrpc":"2.0","id":1,"result":{}})"});
  EXPECT_TRUE(resumed->ended());
}

TEST(StreamableResume, ReleaseStreamNeedsAResumableRevision) {
  McpEndpoint mcp;
  const auto session = mcp.open("2025-06-18");
  const auto call = mcp.call(session, "slow");
  mcp.factory().session().transport->release_stream(1);
  mcp.send_to_client(result(1), 1);
  EXPECT_EQ(call->body(), R"({"jsonrpc":"2.0","id":1,"result":{}})");
}

TEST(StreamableResume, Finding_S12_SessionsShareEqualEvents) {
  TestLoop loop;
  const SessionSettings settings;
  HttpSession first(loop.loop(), "1", "", settings), second(loop.loop(), "2", "", settings);
  const auto message = notice("large", "\"" + std::string(1000, 'x') + "\"");
  for (auto* session : {&first, &second}) {
    ASSERT_TRUE(session->send({message}).is_ready());
  }
  EXPECT_EQ(settings.texts->share(jsonrpc::write(message)).use_count(), 3) << "two event logs, and this test";
}

TEST(StreamableResume, Finding_S12_DoesNotStoreTooLargeEvents) {
  McpEndpoint mcp({.log = {.max_bytes = 1000}});
  const auto session = mcp.open();
  mcp.send_to_client(notice("small"));
  mcp.send_to_client(notice("large", "\"" + std::string(2000, 'x') + "\""));
  const auto stream = mcp.listen(session);
  EXPECT_EQ(event_data(stream->body()), Texts{R"({"jsonrpc":"2.0","method":"small"})"});
}

TEST(StreamableResume, Finding_S12_ReplaysAnErrorForALostLargeResponse) {
  McpEndpoint mcp({.log = {.max_bytes = 1000}});
  const auto session = mcp.open("2025-06-18");
  const auto call = mcp.call(session, "slow");
  mcp.send_to_client(notice("one"), 1);
  call->leave();
  mcp.loop().poll();
  mcp.send_to_client(result(1, "\"" + std::string(2000, 'x') + "\""), 1);
  const auto resumed = mcp.listen(session, {{"Last-Event-ID", last_id(call->body())}});
  const auto received_count = event_data(resumed->body());
  ASSERT_EQ(received_count.size(), 1u);
  EXPECT_TRUE(
      received_count[0].starts_with(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"the response of )"))
      << received_count[0];
  EXPECT_TRUE(resumed->ended());
}

TEST(StreamableResume, Finding_S12_DeliversALargeResponseToAConnectedClient) {
  McpEndpoint mcp({.log = {.max_bytes = 1000}});
  const auto session = mcp.open("2025-06-18");
  const auto call = mcp.call(session, "slow");
  mcp.send_to_client(notice("one"), 1);
  mcp.send_to_client(result(1, "\"" + std::string(2000, 'x') + "\""), 1);
  EXPECT_GT(event_data(call->body()).back().size(), 2000u);
}

}  // namespace
}  // namespace fairlead::transport::streamable_resume_test
