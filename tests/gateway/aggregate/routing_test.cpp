#include <fairlead/base/asio_task.hpp>

#include "gateway/fixtures/aggregator_fixture.hpp"

/// Routing of calls to the server of their target.
namespace fairlead::gateway::test::routing_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using RoutingTest = AggregatorTest;

TEST_F(RoutingTest, RoutesACallToTheServerOfTheTool) {
  auto& a = add("a").tools({"one"}).answers("tools/call", R"({"content":["a"]})");
  auto& b = add("b").tools({"two"}).answers("tools/call", R"({"content":["b"]})");
  EXPECT_EQ(body("tools/call", R"({"name":"two","arguments":{}})"), R"({"content":["b"]})");
  EXPECT_EQ(a.count("tools/call"), 0u);
  EXPECT_EQ(b.last("tools/call"), R"({"name":"two","arguments":{}})");
}

TEST_F(RoutingTest, Complaint_19_ChangesOnlyTheNameOfACallAndNothingOfItsResult) {
  const std::string result =
      R"({ "structuredContent":{"n":1.0,"big":9223372036854775808,"e":1e3}, "_meta":{"z":1,"a":2},"content":[] ,"x/y":null})";
  add("a").tools({"add"});
  auto& b = add("b").tools({"add"}).answers("tools/call", result);
  EXPECT_EQ(
      body(
          "tools/call",
          R"({ "arguments" : {"x":1.0,"y":1e3,"z":18446744073709551616},"_meta":{"k":[]}, "name":"b__add" ,"odd":0.10})"),
      result);
  EXPECT_EQ(
      b.last("tools/call"),
      R"({ "arguments" : {"x":1.0,"y":1e3,"z":18446744073709551616},"_meta":{"k":[]}, "name":"add" ,"odd":0.10})");
}

TEST_F(RoutingTest, RestoresTheCallAfterwards) {
  add("a").tools({"add"}).answers("tools/call", "{}");
  add("b").tools({"add"});
  Call call{.method = "tools/call", .params = json::Payload::trusted(R"({"name":"a__add"})")};
  const auto run = [](Aggregator* aggregator, Call* made) -> Task<void> { co_await aggregator->call(*made); };
  async_start(loop_, run(&aggregator(), &call), [](const std::exception_ptr&) {});
  poll();
  EXPECT_EQ(backends_[0]->last("tools/call"), R"({"name":"add"})");
  EXPECT_EQ(call.params.text(), R"({"name":"a__add"})");
}

TEST_F(RoutingTest, RefusesAnUnknownToolByName) {
  add("a").tools({"one"});
  const auto reply = send_request("tools/call", R"({"name":"none"})");
  ASSERT_FALSE(reply);
  EXPECT_EQ(protocol::protocol_error_of(reply.error()), ProtocolError::unknown_tool);
  EXPECT_EQ(reply.error().subject, "none");
  EXPECT_EQ(backends_[0]->count("tools/call"), 0u);
  EXPECT_EQ(fault("tools/call", R"({"arguments":{}})"), ProtocolError::invalid_params);
  EXPECT_EQ(fault("tools/call", R"({"name":7})"), ProtocolError::invalid_params);
}

TEST_F(RoutingTest, Attack_MatchesNamesExactly) {
  add("a").tools({"read"}).answers("tools/call", "{}");
  add("b").tools({"read", "only__b"}).answers("tools/call", "{}");
  tools();
  for (const auto* trick : {"read", "b__only__b", "a__only__b", "A__read", "a__Read", "a__read ", "a__rеad",
                            "a__b__read", "a__", "__read", "a__read\\u0000", "b__read\\u200b", ""}) {
    EXPECT_EQ(fault("tools/call", std::string(R"({"name":")") + trick + "\"}"), ProtocolError::unknown_tool) << trick;
  }
  EXPECT_EQ(backends_[0]->count("tools/call") + backends_[1]->count("tools/call"), 0u);
  // An escape sequence spells the same name.
  EXPECT_EQ(body("tools/call", R"({"name":"a__re\u0061d"})"), "{}");
  EXPECT_EQ(backends_[0]->last("tools/call"), R"({"name":"read"})");
}

TEST_F(RoutingTest, Attack_AServerNamedLikeAPrefixGetsNoCallsOfAnother) {
  options_.names.prefix = PrefixPolicy::always;
  add("git").tools({"hub__x"}).answers("tools/call", R"({"from":"git"})");
  add("git__hub").tools({"x"}).answers("tools/call", R"({"from":"git__hub"})");
  const auto names = tools();
  ASSERT_EQ(names.size(), 2u);
  EXPECT_EQ(fault("tools/call", R"({"name":"git__hub__x"})"), ProtocolError::unknown_tool);
  EXPECT_EQ(body("tools/call", R"({"name":")" + names[0] + "\"}"), R"({"from":"git"})");
  EXPECT_EQ(body("tools/call", R"({"name":")" + names[1] + "\"}"), R"({"from":"git__hub"})");
  EXPECT_EQ(backends_[0]->last("tools/call"), R"({"name":"hub__x"})");
}

TEST_F(RoutingTest, FetchesListsForAnUnknownName) {
  auto& a = add("a").tools({"one"}).answers("tools/call", "{}");
  EXPECT_EQ(body("tools/call", R"({"name":"one"})"), "{}");
  EXPECT_THAT(a.calls,
              ElementsAre(testing::Pair("tools/list", "{}"), testing::Pair("tools/call", R"({"name":"one"})")));
  body("tools/call", R"({"name":"one"})");
  EXPECT_EQ(a.count("tools/list"), 1u);
}

TEST_F(RoutingTest, PassesServerErrorsUnchanged) {
  add("a").tools({"one"}).answers("tools/call", [](const std::string&) -> Result<std::string> {
    return std::unexpected(Error{.kind = ErrorKind::refused, .message = "no", .code = -32042, .data = R"({"a":1.0})"});
  });
  const auto reply = send_request("tools/call", R"({"name":"one"})");
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, -32042);
  EXPECT_EQ(reply.error().data, R"({"a":1.0})");
}

TEST_F(RoutingTest, RoutesAPromptByItsName) {
  add("a").has(ListKind::prompts, {R"({"name":"p"})"}).answers("prompts/get", R"({"from":"a"})");
  add("b").has(ListKind::prompts, {R"({"name":"p"})"}).answers("prompts/get", R"({"from":"b"})");
  EXPECT_EQ(body("prompts/get", R"({"name":"b__p"})"), R"({"from":"b"})");
  EXPECT_EQ(backends_[1]->last("prompts/get"), R"({"name":"p"})");
  EXPECT_EQ(fault("prompts/get", R"({"name":"p"})"), ProtocolError::prompt_missing);
}

TEST_F(RoutingTest, RoutesACompletionByItsReference) {
  add("a").has(ListKind::prompts, {R"({"name":"p"})"}).answers("completion/complete", R"({"from":"a"})");
  add("b")
      .has(ListKind::prompts, {R"({"name":"p"})"})
      .has(ListKind::templates, {R"({"uriTemplate":"y://{id}"})"})
      .answers("completion/complete", R"({"from":"b"})");
  EXPECT_EQ(body("completion/complete", R"({"argument":{"name":"p"}, "ref":{"name":"a__p","type":"ref/prompt"}})"),
            R"({"from":"a"})");
  EXPECT_EQ(backends_[0]->last("completion/complete"),
            R"({"argument":{"name":"p"}, "ref":{"name":"p","type":"ref/prompt"}})");
  EXPECT_EQ(body("completion/complete", R"({"ref":{"type":"ref/resource","uri":"y://{id}"}})"), R"({"from":"b"})");
  EXPECT_EQ(fault("completion/complete", R"({"ref":{"type":"ref/prompt","name":"q"}})"), ProtocolError::prompt_missing);
  EXPECT_EQ(fault("completion/complete", R"({"ref":{"type":"ref/prompt","name":"a__p","name":"b__p"}})"),
            ProtocolError::invalid_params);
  EXPECT_EQ(fault("completion/complete", R"({"ref":{"type":"ref/other"}})"), ProtocolError::invalid_params);
}

TEST_F(RoutingTest, RoutesAResourceByUriThenByTemplate) {
  add("a").has(ListKind::resources, {R"({"uri":"x://a"})"}).answers("resources/read", R"({"from":"a"})");
  add("b").has(ListKind::templates, {R"({"uriTemplate":"x://{id}"})"}).answers("resources/read", R"({"from":"b"})");
  EXPECT_EQ(body("resources/read", R"({"uri":"x://a"})"), R"({"from":"a"})");
  EXPECT_EQ(body("resources/read", R"({"uri":"x://other"})"), R"({"from":"b"})");
  const auto reply = send_request("resources/read", R"({"uri":"z://unknown"})");
  ASSERT_FALSE(reply);
  EXPECT_EQ(protocol::protocol_error_of(reply.error()), ProtocolError::resource_missing);
  EXPECT_EQ(reply.error().subject, "z://unknown");
}

TEST_F(RoutingTest, Attack_RefusesAUriThatOnlyResemblesAnother) {
  add("a").has(ListKind::resources, {R"({"uri":"x://a/b"})"}).answers("resources/read", "{}");
  add("b").has(ListKind::resources, {R"({"uri":"x://b"})"}).answers("resources/read", "{}");
  for (const auto* trick :
       {"X://a/b", "x://a/B", "x://a/%62", "x://a/./b", "x://a/b/", "x://a/b#", " x://a/b", "x:a/b"}) {
    EXPECT_EQ(fault("resources/read", std::string(R"({"uri":")") + trick + "\"}"), ProtocolError::resource_missing)
        << trick;
  }
  EXPECT_EQ(backends_[0]->count("resources/read") + backends_[1]->count("resources/read"), 0u);
}

TEST_F(RoutingTest, RoutesAnUnlistedResourceToTheOnlyServerWithResources) {
  add("a").has(ListKind::resources, {}).answers("resources/read", R"({"from":"a"})");
  add("b").tools({"t"});
  EXPECT_EQ(body("resources/read", R"({"uri":"x://unlisted"})"), R"({"from":"a"})");
}

TEST_F(RoutingTest, Finding_P8_ReportsAServerThatHasNotListedItsResources) {
  auto& up = add("up").has(ListKind::resources, {}).answers("resources/read", R"({"from":"up"})");
  auto& down = add("down").has(ListKind::resources, {}).answers("resources/read", R"({"from":"down"})");
  down.dead = true;
  const auto refused = send_request("resources/read", R"({"uri":"note://x"})");
  ASSERT_FALSE(refused);
  EXPECT_EQ(protocol::protocol_error_of(refused.error()), ProtocolError::resource_missing);
  EXPECT_THAT(refused.error().message, HasSubstr("'down' has not listed its resources yet"));
  EXPECT_EQ(up.count("resources/read"), 0U);
}

TEST_F(RoutingTest, RoutesSubscriptionsByResource) {
  add("a").has(ListKind::resources, {R"({"uri":"x://a"})"}).answers("resources/subscribe", "{}");
  auto& b = add("b").has(ListKind::resources, {R"({"uri":"x://b"})"});
  b.answers("resources/subscribe", "{}").answers("resources/unsubscribe", "{}");
  EXPECT_EQ(body("resources/subscribe", R"({"uri":"x://b"})"), "{}");
  EXPECT_EQ(body("resources/unsubscribe", R"({"uri":"x://b"})"), "{}");
  EXPECT_EQ(b.count("resources/subscribe"), 1u);
  EXPECT_EQ(backends_[0]->count("resources/subscribe"), 0u);
}

TEST_F(RoutingTest, SendsALogLevelToAllServersWithLogging) {
  auto& a = add("a").tools({});
  auto& b = add("b").tools({});
  auto& c = add("c").tools({});
  for (auto* one : {&a, &b}) one->description.capabilities.logging = json::Payload::trusted("{}");
  b.answers("logging/setLevel", "{}");
  EXPECT_EQ(body("logging/setLevel", R"({"level":"info"})"), "{}");
  EXPECT_EQ(a.count("logging/setLevel"), 1u);
  EXPECT_EQ(b.last("logging/setLevel"), R"({"level":"info"})");
  EXPECT_EQ(c.count("logging/setLevel"), 0u);
}

TEST_F(RoutingTest, ALogLevelWaitsUntilTheTimeout) {
  auto& a = add("a").tools({});
  a.description.capabilities.logging = json::Payload::trusted("{}");
  add("b").tools({}).answers("logging/setLevel", "{}").description.capabilities.logging = json::Payload::trusted("{}");
  tools();
  a.silent = true;
  const auto pending = start("logging/setLevel", R"({"level":"info"})");
  EXPECT_FALSE(*pending);
  pass(5s);
  ASSERT_TRUE(*pending);
  EXPECT_TRUE(**pending);
}

TEST_F(RoutingTest, RefusesALogLevelWithoutServersWithLogging) {
  add("a").tools({});
  EXPECT_EQ(fault("logging/setLevel", R"({"level":"info"})"), ProtocolError::unknown_method);
}

TEST_F(RoutingTest, RoutesAVendorMethodToTheFirstServerThatKnowsIt) {
  auto& a = add("a").tools({});
  add("b").tools({}).answers("vendor/do", R"({"did":1.0})");
  auto& c = add("c").tools({}).answers("vendor/do", "{}");
  EXPECT_EQ(body("vendor/do", R"({"what":1e2})"), R"({"did":1.0})");
  EXPECT_EQ(a.last("vendor/do"), R"({"what":1e2})");
  EXPECT_EQ(c.count("vendor/do"), 0u);
  EXPECT_EQ(fault("vendor/other"), ProtocolError::unknown_method);
}

TEST_F(RoutingTest, DoesNotRetryAFailedVendorMethodElsewhere) {
  add("a").tools({}).answers(
      "vendor/do", [](const std::string&) -> Result<std::string> { return fail(ErrorKind::timeout, "no answer"); });
  auto& b = add("b").tools({}).answers("vendor/do", "{}");
  const auto reply = send_request("vendor/do");
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().kind, ErrorKind::timeout);
  EXPECT_EQ(b.count("vendor/do"), 0u);
}

TEST_F(RoutingTest, ADeadServerDoesNotBlockAVendorMethod) {
  add("a").dead = true;
  add("b").tools({}).answers("vendor/do", "{}");
  EXPECT_EQ(body("vendor/do"), "{}");
}

TEST_F(RoutingTest, SendsNotificationsToAllServers) {
  auto& a = add("a");
  auto& b = add("b");
  session::Notification notice{.method = "notifications/roots/list_changed"};
  const auto run = [](Aggregator* aggregator, session::Notification* notification) -> Task<void> {
    co_await aggregator->notify(*notification);
  };
  async_start(loop_, run(&aggregator(), &notice), [](const std::exception_ptr&) {});
  poll();
  EXPECT_THAT(a.notices, ElementsAre("notifications/roots/list_changed"));
  EXPECT_EQ(b.notices, a.notices);
}

TEST_F(RoutingTest, ForwardsServerRequestsToTheCaller) {
  struct Back final : session::PeerChannel {
    Task<Result<Reply>> request(std::string, json::Payload) override { co_return Reply(); }
    Task<Result<void>> notify(std::string, json::Payload) override { co_return Result<void>(); }
  } back;
  client_channel_ = &back;
  auto& a = add("a").tools({"t"}).answers("tools/call", "{}");
  body("tools/call", R"({"name":"t"})");
  EXPECT_EQ(a.last_client, &back);
}

}  // namespace
}  // namespace fairlead::gateway::test::routing_test
