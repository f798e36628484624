#include <fairlead/http/sse.hpp>
#include <fairlead/transport/streamable_http.hpp>
#include <gtest/gtest.h>
#include <set>

#include "support/mcp_endpoint.hpp"

namespace fairlead::transport {
namespace {

using namespace test;

std::vector<http::SseEvent> events(const std::string& stream) {
  http::SseParser parser;
  EXPECT_TRUE(parser.feed(stream));
  std::vector<http::SseEvent> all;
  while (auto event = parser.next()) all.push_back(std::move(*event));
  return all;
}

std::vector<std::string> said(const std::string& stream) {
  std::vector<std::string> texts;
  for (auto& event : events(stream)) {
    if (!event.data.empty()) texts.push_back(std::move(event.data));
  }
  return texts;
}

std::string last_id(const McpEndpoint::Going& going) {
  return events(going->body()).back().id;
}

const std::string progress = R"({"jsonrpc":"2.0","method":"notifications/progress"})";
using Texts = std::vector<std::string>;

TEST(StreamableStream, S2_16_AnAnswerThatComesFirstIsJson) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  const auto call = mcp.call(session, "slow");
  mcp.say(result(1), 1);
  EXPECT_FALSE(call->streamed());
  EXPECT_EQ(call->head().content_type, "application/json");
  EXPECT_EQ(call->body(), R"({"jsonrpc":"2.0","id":1,"result":{}})");
}

TEST(StreamableStream, S2_18_WhatIsSaidBeforeTheAnswerMakesItAStream) {
  McpEndpoint mcp;
  const auto session = mcp.open("2025-06-18");
  const auto call = mcp.call(session, "slow");
  mcp.say(notice("notifications/progress"), 1);
  EXPECT_EQ(call->head().content_type, "text/event-stream");
  EXPECT_FALSE(call->ended());
  mcp.say(result(1), 1);
  EXPECT_EQ(said(call->body()), (Texts{progress, R"({"jsonrpc":"2.0","id":1,"result":{}})"}));
}

TEST(StreamableStream, S2_17_S2_20_TheStreamClosesOnceTheAnswerIsSent) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  const auto call = mcp.call(session, "slow");
  mcp.say(notice("notifications/progress"), 1);
  EXPECT_FALSE(call->ended());
  mcp.say(result(1), 1);
  EXPECT_TRUE(call->ended());
  EXPECT_TRUE(call.done.done());
}

TEST(StreamableStream, S2_19_ItStaysOpenUntilThen) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  const auto call = mcp.call(session, "slow");
  for (int i = 0; i < 50; ++i) mcp.say(notice("notifications/progress"), 1);
  EXPECT_FALSE(call->ended());
  EXPECT_EQ(said(call->body()).size(), 50u);
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

TEST(StreamableStream, S4_05_S2_24_ItCarriesWhatTheServerSaysUnasked) {
  McpEndpoint mcp;
  const auto stream = mcp.listen(mcp.open("2025-03-26"));
  mcp.say(notice("notifications/tools/list_changed"));
  mcp.say(request(9, "roots/list"));
  EXPECT_EQ(said(stream->body()), (Texts{R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})",
                                         R"({"jsonrpc":"2.0","id":9,"method":"roots/list"})"}));
}

TEST(StreamableStream, S2_28_S2_24b_EveryMessageGoesToExactlyOneStream) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  const auto stream = mcp.listen(session);
  const auto first = mcp.call(session, "slow", 1);
  const auto second = mcp.call(session, "slow", 2);
  mcp.say(notice("about/1"), 1);
  mcp.say(notice("about/2"), 2);
  mcp.say(notice("about/nothing"));
  mcp.say(result(2), 2);
  mcp.say(result(1), 1);
  EXPECT_EQ(said(first->body()),
            (Texts{R"({"jsonrpc":"2.0","method":"about/1"})", R"({"jsonrpc":"2.0","id":1,"result":{}})"}));
  EXPECT_EQ(said(second->body()),
            (Texts{R"({"jsonrpc":"2.0","method":"about/2"})", R"({"jsonrpc":"2.0","id":2,"result":{}})"}));
  EXPECT_EQ(said(stream->body()), Texts{R"({"jsonrpc":"2.0","method":"about/nothing"})"});
}

TEST(StreamableStream, S2_25_AnAnswerNeverLeavesOnTheGetStream) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  const auto stream = mcp.listen(session);
  mcp.say(result(77));
  EXPECT_EQ(said(stream->body()), Texts{});
}

TEST(StreamableStream, WhatNobodyListensForWaitsForTheNextGet) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  mcp.say(notice("a"));
  mcp.say(notice("b"));
  const auto stream = mcp.listen(session);
  EXPECT_EQ(said(stream->body()).size(), 2u);
  stream->leave();
  mcp.loop().poll();
  const auto later = mcp.listen(session);
  EXPECT_EQ(said(later->body()), Texts{});
}

TEST(StreamableStream, S2_26_S2_27_TheNewestGetWinsAndTheOldOneIsClosedCleanly) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  const auto old = mcp.listen(session);
  const auto fresh = mcp.listen(session);
  EXPECT_TRUE(old->ended());
  mcp.say(notice("a"));
  EXPECT_EQ(said(old->body()), Texts{});
  EXPECT_EQ(said(fresh->body()).size(), 1u);
}

TEST(StreamableStream, OpensWithAnIdAndNoDataWhereTheRevisionDoes) {
  McpEndpoint mcp({.retry = std::chrono::milliseconds{500}});
  const auto stream = mcp.listen(mcp.open("2025-11-25"));
  EXPECT_EQ(stream->body(), "id: 0-0.1\nretry: 500\ndata: \n\n");
  const auto older = mcp.listen(mcp.open("2025-06-18"));
  EXPECT_EQ(older->body(), "");
}

TEST(StreamableStream, S2_29_IdsAreUniqueInASession) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  std::set<std::string> ids;
  std::size_t count = 0;
  for (int id = 1; id <= 3; ++id) {
    const auto call = mcp.call(session, "slow", id);
    const auto stream = mcp.listen(session);
    mcp.say(notice("x"), id);
    mcp.say(notice("y"));
    mcp.say(result(id), id);
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

TEST(StreamableStream, S2_21_ADisconnectIsNoCancellationInTheHandshakeEra) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  const auto call = mcp.call(session, "slow");
  call->leave();
  mcp.loop().poll();
  EXPECT_TRUE(call.done.done());
  EXPECT_FALSE(mcp.host().talk().closed);
  EXPECT_EQ(mcp.host().talk().heard.size(), 2u);
}

TEST(StreamableStream, S2_22_S2_30_S2_31_ABrokenPostStreamGoesOnByGet) {
  McpEndpoint mcp;
  const auto session = mcp.open("2025-06-18");
  const auto call = mcp.call(session, "slow");
  mcp.say(notice("one"), 1);
  const auto id = last_id(call);
  call->leave();
  mcp.loop().poll();
  mcp.say(notice("two"), 1);
  const auto resumed = mcp.listen(session, {{"Last-Event-ID", id}});
  mcp.say(result(1), 1);
  EXPECT_EQ(said(resumed->body()),
            (Texts{R"({"jsonrpc":"2.0","method":"two"})", R"({"jsonrpc":"2.0","id":1,"result":{}})"}));
  EXPECT_TRUE(resumed->ended());
}

TEST(StreamableStream, S2_31_AnAnswerGivenWhileNobodyReadIsReplayed) {
  McpEndpoint mcp;
  const auto session = mcp.open("2025-06-18");
  const auto call = mcp.call(session, "slow");
  mcp.say(notice("one"), 1);
  call->leave();
  mcp.loop().poll();
  mcp.say(result(1), 1);
  const auto resumed = mcp.listen(session, {{"Last-Event-ID", last_id(call)}});
  EXPECT_EQ(said(resumed->body()), Texts{R"({"jsonrpc":"2.0","id":1,"result":{}})"});
  EXPECT_TRUE(resumed->ended());
}

TEST(StreamableStream, S2_32_ResumingNeverBringsAnotherStreamsMessages) {
  McpEndpoint mcp;
  const auto session = mcp.open("2025-06-18");
  const auto mine = mcp.call(session, "slow", 1);
  const auto theirs = mcp.call(session, "slow", 2);
  mcp.say(notice("mine"), 1);
  const auto id = last_id(mine);
  mine->leave();
  mcp.loop().poll();
  mcp.say(notice("theirs"), 2);
  mcp.say(notice("unasked"));
  mcp.say(result(2), 2);
  const auto resumed = mcp.listen(session, {{"Last-Event-ID", id}});
  EXPECT_EQ(said(resumed->body()), Texts{});
}

TEST(StreamableStream, TheGetStreamIsResumedFromAnyEvent) {
  McpEndpoint mcp;
  const auto session = mcp.open("2025-11-25");
  const auto stream = mcp.listen(session);
  mcp.say(notice("a"));
  mcp.say(notice("b"));
  mcp.say(notice("c"));
  const auto first = events(stream->body()).at(1).id;
  stream->leave();
  mcp.loop().poll();
  mcp.say(notice("d"));
  const auto resumed = mcp.listen(session, {{"Last-Event-ID", first}});
  EXPECT_EQ(said(resumed->body()).size(), 3u);
}

TEST(StreamableStream, ALastEventIdOfAnotherSessionBringsNothingOfIt) {
  McpEndpoint mcp;
  const auto theirs = mcp.open("2025-06-18");
  const auto call = mcp.call(theirs, "slow", 1);
  mcp.say(notice("secret"), 1);
  const auto id = last_id(call);
  const auto mine = mcp.open("2025-06-18");
  const auto stream = mcp.listen(mine, {{"Last-Event-ID", id}});
  EXPECT_EQ(stream->status(), 400);
  EXPECT_EQ(stream->body().find("secret"), std::string::npos);
}

TEST(StreamableStream, AnIdThatWasNeverGivenIs400) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  for (const auto* id : {"garbage", "7-1", "0-1\r\ndata: x", "-1-1", ""}) {
    EXPECT_EQ(mcp.listen(session, {{"Last-Event-ID", id}})->status(), 400) << id;
  }
}

TEST(StreamableStream, AHandlerCanLetGoOfItsStreamAndAnswerOnAGet) {
  McpEndpoint mcp({.retry = std::chrono::milliseconds{500}});
  const auto session = mcp.open("2025-11-25");
  const auto call = mcp.call(session, "slow");
  mcp.host().talk().transport->pause(1);
  mcp.loop().poll();
  EXPECT_EQ(call->body(), "id: 2-0\nretry: 500\ndata: \n\n");
  EXPECT_TRUE(call->ended());
  const auto resumed = mcp.listen(session, {{"Last-Event-ID", "2-0"}});
  mcp.say(result(1), 1);
  EXPECT_EQ(said(resumed->body()), Texts{R"({"jsonrpc":"2.0","id":1,"result":{}})"});
  EXPECT_TRUE(resumed->ended());
}

TEST(StreamableStream, AClientThatCouldNotComeBackKeepsItsStream) {
  McpEndpoint mcp;
  const auto session = mcp.open("2025-06-18");
  const auto call = mcp.call(session, "slow");
  mcp.host().talk().transport->pause(1);
  mcp.say(result(1), 1);
  EXPECT_EQ(call->body(), R"({"jsonrpc":"2.0","id":1,"result":{}})");
}

TEST(StreamableStream, ACancelledRequestsPostEnds) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  const auto call = mcp.call(session, "slow");
  mcp.host().talk().transport->abandon(1);
  mcp.loop().poll();
  EXPECT_TRUE(call->ended());
  EXPECT_EQ(said(call->body()), Texts{});
  mcp.say(result(1), 1);
  EXPECT_EQ(said(call->body()), Texts{});
}

TEST(StreamableStream, ASilentCallBecomesAStreamAndIsKeptAlive) {
  McpEndpoint mcp({.keep_alive = std::chrono::milliseconds{20}});
  const auto session = mcp.open("2025-06-18");
  const auto call = mcp.call(session, "slow");
  const auto alive = [&] { return call->body().find(": keep-alive\n\n") != std::string::npos; };
  while (!alive()) mcp.loop().context().restart(), mcp.loop().context().run_one();
  EXPECT_TRUE(call->streamed());
  mcp.say(result(1), 1);
  EXPECT_EQ(said(call->body()), Texts{R"({"jsonrpc":"2.0","id":1,"result":{}})"});
}

TEST(StreamableStream, ASenderWaitsForAClientThatDoesNotRead) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  const auto call = mcp.call(session, "slow");
  mcp.say(notice("begin"), 1);
  call->stall(true);
  const std::string large = "\"" + std::string(40 * 1024, 'x') + "\"";
  std::vector<Pending<Result<void>>> sent;
  for (int i = 0; i < 8; ++i) {
    sent.push_back(mcp.loop().start(mcp.host().talk().say(notice("n", large), 1)));
    mcp.loop().poll();
  }
  EXPECT_FALSE(sent.back().done());
  call->stall(false);
  mcp.loop().poll();
  EXPECT_TRUE(sent.back().done());
  EXPECT_EQ(said(call->body()).size(), 9u);
}

TEST(StreamableStream, WhoDoesNotReadTheGetStreamStillGetsAnswers) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  const auto stream = mcp.listen(session);
  stream->stall(true);
  const std::string large = "\"" + std::string(40 * 1024, 'x') + "\"";
  for (int i = 0; i < 8; ++i) mcp.say(notice("n", large));
  const auto call = mcp.call(session, "slow");
  mcp.say(result(1), 1);
  EXPECT_TRUE(call->ended());
}

TEST(StreamableStream, ALineBreakInAPayloadCannotForgeAnEvent) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  const auto call = mcp.call(session, "slow");
  mcp.say(notice("n", "{\"a\":\n\r\"x\\n\\ndata: forged\\n\\nid: 9\"}"), 1);
  mcp.say(result(1), 1);
  EXPECT_EQ(events(call->body()).size(), 3u);
  EXPECT_EQ(call->body().find("\ndata: forged"), std::string::npos);
}

TEST(StreamableStream, GetNeedsToAcceptEvents) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  EXPECT_EQ(mcp.send("GET", {{"Mcp-Session-Id", session}, {"Accept", "application/json"}})->status(), 406);
  EXPECT_EQ(mcp.send("GET", {{"Accept", "text/event-stream"}})->status(), 400);
}

TEST(StreamableStream, AnEndedSessionClosesItsGetStream) {
  McpEndpoint mcp;
  const auto session = mcp.open();
  const auto stream = mcp.listen(session);
  mcp.send("DELETE", {{"Mcp-Session-Id", session}});
  mcp.loop().poll();
  EXPECT_TRUE(stream->ended());
}

TEST(StreamableStream, S2_13_ABatchIsAnsweredAsOneArray) {
  McpEndpoint mcp;
  const auto session = mcp.open("2025-03-26");
  const auto call = mcp.post(
      R"([{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","id":2,"method":"b"},{"jsonrpc":"2.0","method":"n"}])",
      {{"Mcp-Session-Id", session}});
  EXPECT_FALSE(call->answered());
  auto answers = mcp.host().talk().transport->send_batch({result(1), result(2)});
  EXPECT_TRUE(mcp.loop().run(std::move(answers)));
  mcp.loop().poll();
  EXPECT_EQ(call->body(), R"([{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}}])");
}

TEST(StreamableStream, S2_14_ABatchThatAsksNothingGets202) {
  McpEndpoint mcp;
  const auto session = mcp.open("2025-03-26");
  const auto sent = mcp.post(R"([{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","method":"n"}])",
                             {{"Mcp-Session-Id", session}});
  EXPECT_EQ(sent->status(), 202);
}

TEST(StreamableStream, BatchesAreRefusedWhereTheRevisionHasNone) {
  McpEndpoint mcp;
  const auto session = mcp.open("2025-06-18");
  EXPECT_EQ(mcp.post(R"([{"jsonrpc":"2.0","id":1,"method":"a"}])", {{"Mcp-Session-Id", session}})->status(), 400);
}

}  // namespace
}  // namespace fairlead::transport
