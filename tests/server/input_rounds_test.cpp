#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/model/sampling.hpp>
#include <fairlead/server/context.hpp>

#include "server/harness.hpp"

namespace fairlead::server::test::input_rounds_test {
namespace {

using protocol::ProtocolError;
using testing::HasSubstr;
using testing::Not;

struct Confirm {
  bool yes = false;
};
enum class Size : std::uint8_t { small, large };
struct Order {
  Doc<std::string, "Who it is for"> name;
  std::optional<int> pieces = 3;
  std::optional<Size> size = Size::large;
};

constexpr auto all_capabilities = R"({"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{}})";

struct InputRoundsTest : testing::Test {
  Server app{"demo", "1.0"};
  Client client{app};
  int plans = 0;

  InputRoundsTest() {
    client.set_capabilities(all_capabilities);
    app.tool("deploy", "", [this](Arg<"env", std::string> env, Context& context) -> Task<std::string> {
      const auto plan = co_await context.once("plan", [this] { return ++plans; });
      const auto first = co_await context.elicit<Confirm>("Deploy to " + *env + "?");
      const auto second = co_await context.elicit<Confirm>("Really?");
      co_return std::string(first.yes && second.yes ? "deployed" : "kept") + " by plan " + std::to_string(plan);
    });
  }

  static Reply reply_with(const protocol::InputRequiredResult& result) {
    return {.body = json::to_payload(result), .kind = protocol::ResultKind::input_required};
  }

  /// Repeats the request with responses, as a client of the stateless era does.
  Result<Reply> retry(const std::string& params, const Reply& previous, const std::string& responses) {
    const auto result = *json::decode<protocol::InputRequiredResult>(previous.body);
    json::ObjectEdit edit(params);
    edit.set("inputResponses", responses).set("requestState", json::encode(*result.requestState));
    return client.request("tools/call", edit.text());
  }
};

constexpr auto deploy = R"({"name":"deploy","arguments":{"env":"prod"}})";
constexpr auto yes = R"({"action":"accept","content":{"yes":true}})";

std::string at(const std::string& key, const std::string& answer) {
  return "{\"" + key + "\":" + answer + "}";
}

TEST_F(InputRoundsTest, SendsRequestAndWaitsInTheHandshakeEra) {
  client.channel.answers = {yes, yes};
  EXPECT_EQ(text_of(client.body("tools/call", deploy)), "deployed by plan 1");
  ASSERT_EQ(client.channel.requests.size(), 2U);
  EXPECT_EQ(client.channel.requests[0].method, "elicitation/create");
  EXPECT_EQ(client.channel.requests[0].params,
            R"({"mode":"form","message":"Deploy to prod?","requestedSchema":{"type":"object","properties":{)"
            R"("yes":{"type":"boolean","default":false}}}})");
}

TEST_F(InputRoundsTest, EndsTheRoundAndReplaysInTheStatelessEra) {
  client.set_revision(stateless());
  const auto first = client.request("tools/call", deploy);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->kind, protocol::ResultKind::input_required);
  EXPECT_THAT(std::string(first->body.text()),
              HasSubstr(R"({"inputRequests":{"q0":{"method":"elicitation/create","params":{)"));
  const auto second = retry(deploy, *first, at("q0", yes));
  ASSERT_TRUE(second);
  EXPECT_EQ(second->kind, protocol::ResultKind::input_required);
  EXPECT_THAT(std::string(second->body.text()), HasSubstr(R"("q1":)"));
  EXPECT_THAT(std::string(second->body.text()), Not(HasSubstr(R"("q0":)")));
  const auto third = retry(deploy, *second, at("q1", yes));
  ASSERT_TRUE(third);
  EXPECT_EQ(third->kind, protocol::ResultKind::complete);
  EXPECT_EQ(text_of(std::string(third->body.text())), "deployed by plan 1");
  EXPECT_EQ(plans, 1);
  EXPECT_TRUE(client.channel.requests.empty());
}

TEST_F(InputRoundsTest, RepeatsRequestForInvalidResponsesAndIgnoresUnknownKeys) {
  client.set_revision(stateless());
  const auto first = client.request("tools/call", deploy);
  for (const char* responses :
       {R"({})", R"({"other":1})", R"({"q0":7})", R"({"q0":null})", R"({"q0":{"action":"accept"}})",
        R"({"q0":{"action":"accept","content":{"yes":"maybe"}}})"}) {
    const auto again = retry(deploy, *first, responses);
    ASSERT_TRUE(again) << responses;
    EXPECT_EQ(again->kind, protocol::ResultKind::input_required) << responses;
    EXPECT_THAT(std::string(again->body.text()), HasSubstr(R"("q0":)")) << responses;
  }
  const auto on = retry(deploy, *first, R"({"q0":)" + std::string(yes) + R"(,"extra":1})");
  EXPECT_THAT(std::string(on->body.text()), HasSubstr(R"("q1":)"));
}

TEST_F(InputRoundsTest, RejectsForeignRequestState) {
  client.set_revision(stateless());
  const auto first = client.request("tools/call", deploy);
  auto result = *json::decode<protocol::InputRequiredResult>(first->body);
  *result.requestState += "-TAMPERED";
  EXPECT_EQ(protocol::protocol_error_of(retry(deploy, reply_with(result), at("q0", yes)).error()),
            ProtocolError::invalid_params);

  const auto other = R"({"name":"deploy","arguments":{"env":"test"}})";
  EXPECT_EQ(protocol::protocol_error_of(retry(other, *first, at("q0", yes)).error()), ProtocolError::invalid_params);
  client.context.principal = "mallory";
  EXPECT_EQ(protocol::protocol_error_of(retry(deploy, *first, at("q0", yes)).error()), ProtocolError::invalid_params);
}

TEST_F(InputRoundsTest, DeclinedElicitationFailsTheToolUnlessCaught) {
  app.tool("polite", "", [](Context& context) -> Task<std::string> {
    std::string answer_text = "no answer";
    try {
      co_await context.elicit<Confirm>("?");
    } catch (const ElicitationDeclined& declined) {
      answer_text = declined.action() == protocol::ElicitAction::decline ? "declined" : "dismissed";
    }
    co_return answer_text;
  });
  client.channel.answers = {R"({"action":"decline"})", R"({"action":"cancel"})", R"({"action":"decline"})"};
  EXPECT_EQ(text_of(client.tool("polite")), "declined");
  EXPECT_EQ(text_of(client.tool("polite")), "dismissed");
  const auto reply = client.request("tools/call", deploy);
  EXPECT_EQ(protocol::protocol_error_of(reply.error()), ProtocolError::tool_failed);
  EXPECT_EQ(reply.error().message, "The user declined to answer.");
}

TEST_F(InputRoundsTest, FormSchemaHasDescriptionsEnumsAndDefaults) {
  app.tool("order", "", [](Context& context) -> Task<std::string> {
    const auto order = co_await context.elicit<Order>("What?");
    co_return *order.name + std::to_string(*order.pieces) + (order.size == Size::large ? "L" : "S");
  });
  client.channel.answers = {R"({"action":"accept","content":{"name":"ann","size":"small"}})"};
  EXPECT_EQ(text_of(client.tool("order")), "ann3S");
  EXPECT_THAT(client.channel.requests[0].params,
              HasSubstr(R"("properties":{"name":{"type":"string","description":"Who it is for"},)"
                        R"("pieces":{"type":"integer","default":3},)"
                        R"("size":{"type":"string","enum":["small","large"],"default":"large"}},"required":["name"])"));
}

TEST_F(InputRoundsTest, SendsNothingToAClientWithoutTheCapability) {
  client.set_capabilities("{}");
  const auto old_era = client.request("tools/call", deploy);
  EXPECT_EQ(protocol::protocol_error_of(old_era.error()), ProtocolError::tool_failed);
  EXPECT_TRUE(client.channel.requests.empty());
  client.set_revision(stateless());
  const auto new_era = client.request("tools/call", deploy);
  EXPECT_EQ(protocol::protocol_error_of(new_era.error()), ProtocolError::missing_capability);
  EXPECT_EQ(new_era.error().data, R"({"requiredCapabilities":{"elicitation":{}}})");
}

TEST_F(InputRoundsTest, ChecksTheCapabilityOfEachElicitationMode) {
  app.tool("visit", "", [](Context& context) -> Task<std::string> {
    co_await context.elicit_url("Sign in", "https://x.test");
    co_return "back";
  });
  client.set_revision(stateless()).set_capabilities(R"({"elicitation":{}})");
  EXPECT_EQ(client.request("tools/call", R"({"name":"visit"})").error().data,
            R"({"requiredCapabilities":{"elicitation":{"url":{}}}})");
  client.set_revision(handshake()).set_capabilities(R"({"elicitation":{"url":{}}})");
  client.channel.answers = {R"({"action":"accept"})"};
  EXPECT_EQ(text_of(client.tool("visit")), "back");
  EXPECT_THAT(client.channel.requests[0].params, HasSubstr(R"("elicitationId":"1-q0")"));
  EXPECT_EQ(client.error_of("tools/call", deploy), ProtocolError::tool_failed);
}

TEST_F(InputRoundsTest, SendsSeveralRequestsInOneRound) {
  app.tool("all", "", [](Context& context) -> Task<std::string> {
    auto [confirm, poem, roots] = co_await context.request_all(
        elicit_form<Confirm>("?", "sure"), create_message("A poem", 10, "poem"), list_roots("roots"));
    co_return std::string(confirm.yes ? "yes " : "no ") + poem + " " + roots.at(0).uri;
  });
  const std::string params = R"({"name":"all"})";
  const std::string poem = R"({"role":"assistant","content":{"type":"text","text":"roses"},"model":"m"})";
  const std::string roots = R"({"roots":[{"uri":"file:///x"}]})";
  client.set_revision(stateless());
  const auto previous = client.request("tools/call", params);
  ASSERT_TRUE(previous);
  const auto requests = *json::decode<protocol::InputRequiredResult>(previous->body)->inputRequests;
  EXPECT_EQ(requests.size(), 3U);
  EXPECT_EQ(requests.at("poem").method, "sampling/createMessage");
  EXPECT_EQ(requests.at("roots").method, "roots/list");
  const auto half = retry(params, *previous, R"({"sure":)" + std::string(yes) + R"(,"poem":)" + poem + "}");
  EXPECT_EQ(json::decode<protocol::InputRequiredResult>(half->body)->inputRequests->size(), 1U);
  const auto done = retry(params, *half, at("roots", roots));
  EXPECT_EQ(text_of(std::string(done->body.text())), "yes roses file:///x");

  client.set_revision(handshake());
  client.channel.answers = {yes, poem, roots};
  EXPECT_EQ(text_of(client.tool("all")), "yes roses file:///x");
}

TEST_F(InputRoundsTest, CatchAllInTheHandlerDoesNotSwallowTheRound) {
  app.tool("greedy", "", [](Context& context) -> Task<std::string> {
    try {
      co_await context.elicit<Confirm>("?");
    } catch (...) {
    }
    co_return "swallowed";
  });
  client.set_revision(stateless());
  EXPECT_EQ(client.request("tools/call", R"({"name":"greedy"})")->kind, protocol::ResultKind::input_required);
}

TEST_F(InputRoundsTest, ClientErrorThrowsInTheHandler) {
  app.tool("ask", "", [](Context& context) -> Task<std::string> {
    try {
      co_await context.elicit<Confirm>("?");
    } catch (const Failed& failed) {
      co_return "failed: " + failed.error().message;
    }
    co_return "no";
  });
  client.channel.answers = {fail(ErrorKind::refused, "not now")};
  EXPECT_EQ(text_of(client.tool("ask")), "failed: not now");
  client.channel.answers = {R"({"nonsense":1})"};
  EXPECT_THAT(text_of(client.tool("ask")), HasSubstr("failed: the client's response"));
}

TEST_F(InputRoundsTest, RejectsRequestFromACompletionHandler) {
  app.prompt("p", "", [](Arg<"x", std::string> x) { return *x; });
  app.complete(protocol::PromptReference{.name = "p"}, "x",
               [](const CompletionQuery&, Context& context) -> Task<std::vector<std::string>> {
                 co_await context.roots();
                 co_return std::vector<std::string>{};
               });
  client.set_revision(stateless());
  const auto reply = client.request("completion/complete",
                                    R"({"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"x","value":""}})");
  ASSERT_FALSE(reply);
  EXPECT_THAT(reply.error().message, HasSubstr("cannot send requests to the client"));
}

TEST_F(InputRoundsTest, ChecksTheSamplingToolsCapability) {
  app.tool("ask", "", [](Context& context) -> Task<std::string> {
    protocol::CreateMessageParams params;
    params.maxTokens = 1;
    params.tools.emplace();
    co_return (co_await context.sample(params)).model;
  });
  client.channel.answers = {R"({"role":"assistant","content":{"type":"text","text":"x"},"model":"m"})"};
  EXPECT_EQ(client.error_of("tools/call", R"({"name":"ask"})"), ProtocolError::tool_failed);
  client.set_capabilities(R"({"sampling":{"tools":{}}})");
  EXPECT_EQ(text_of(client.tool("ask")), "m");
}

TEST_F(InputRoundsTest, RejectsAcceptWithoutContent) {
  struct Optional {
    std::optional<bool> yes;
  };
  app.tool("ask", "", [](Context& context) -> Task<std::string> {
    co_return (co_await context.elicit<Optional>("?")).yes ? "said" : "unsaid";
  });
  client.channel.answers = {R"({"action":"accept"})"};
  EXPECT_EQ(client.error_of("tools/call", R"({"name":"ask"})"), ProtocolError::tool_failed);
}

TEST_F(InputRoundsTest, PromptsAndResourcesCanElicit) {
  app.prompt("p", "", [](Context& context) -> Task<std::string> {
    co_return (co_await context.elicit<Confirm>("?", "user_context")).yes ? "yes" : "no";
  });
  app.resource("a://b", "b",
               [](Context& context) -> Task<std::string> { co_return (co_await context.roots()).at(0).uri; });
  client.set_revision(stateless());
  EXPECT_THAT(client.body("prompts/get", R"({"name":"p"})"), HasSubstr(R"("user_context":)"));
  EXPECT_THAT(client.body("resources/read", R"({"uri":"a://b"})"), HasSubstr(R"("q0":{"method":"roots/list"})"));
}

}  // namespace
}  // namespace fairlead::server::test::input_rounds_test
