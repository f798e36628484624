#include "answer/service.hpp"

#include <boost/json.hpp>
#include <fairlead/json/dom.hpp>
#include <fairlead/protocol/fault.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <gmock/gmock.h>

#include "answer/answer_bench.hpp"

namespace fairlead::answer {
namespace {

namespace bj = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr auto secret_key = "sk-planted-0123456789";
constexpr auto plain_reply = R"({"output_text":"見つからない","output":[]})";

/// Hears what a request is told while it is under way.
class HearingChannel final : public session::Backchannel {
 public:
  Task<Result<session::Reply>> ask(std::string, json::Payload) override { co_return fail(ErrorKind::closed, ""); }
  Task<Result<void>> tell(std::string, json::Payload params) override {
    heard.emplace_back(params.text());
    co_return Result<void>{};
  }
  std::vector<std::string> heard;
};

class AnswerServiceTest : public AnswerBench {
 protected:
  AnswerServiceTest() {
    setup_.config.model_profiles.answer->model = "gpt-5";
    setup_.instructions = "Be brief.";
    setup_.key = ApiKey(secret_key);
    setup_.version = "1.2.3";
  }

  session::Call request(std::string_view method, std::string params) {
    session::Call call{.method = std::string(method), .params = json::Payload::trusted(std::move(params))};
    call.context.revision = protocol::find_revision("2025-06-18");
    return call;
  }
  Result<session::Reply> send(session::Call call) {
    if (endpoint_) setup_.config.openai.base_url = base_url();
    AnswerService service(setup_, loop_.log());
    if (auto now = service.answer_now(call)) return std::move(*now);
    return loop_.run(service.call(call));
  }
  bj::value result_of(std::string_view method, std::string params) {
    auto reply = send(request(method, std::move(params)));
    return reply ? reply->body.value() : bj::value(reply.error().message);
  }
  Result<session::Reply> call_tool(const std::string& tool, const std::string& arguments) {
    return send(request("tools/call", R"({"name":")" + tool + R"(","arguments":)" + arguments + "}"));
  }
  /// The answer inside the text block.
  bj::value answered(const std::string& tool, const std::string& arguments) {
    const auto reply = call_tool(tool, arguments);
    if (!reply) return bj::string(reply.error().message);
    const auto& content = reply->body.value().at("content").as_array();
    EXPECT_EQ(content.size(), 1U);
    EXPECT_EQ(content.at(0).at("type"), "text");
    return json::parse_dom(std::string(content.at(0).at("text").as_string()));
  }
  /// An error as it goes over the wire.
  jsonrpc::ErrorObject wire_error(const Result<session::Reply>& reply) {
    const auto lowered =
        protocol::lower_error(reply.error(), *protocol::find_revision("2025-06-18"), protocol::Dialect::answer);
    return std::get<protocol::WireError>(lowered).error;
  }
  bj::value asked() const {
    const auto& request = endpoint_->requests().back();
    return json::parse_dom(request.substr(request.find("\r\n\r\n") + 4));
  }

  answer::Setup setup_;
};

TEST_F(AnswerServiceTest, S0_12_InitializeNamesTheServerAndNothingButTools) {
  const auto result = result_of("initialize", R"({"protocolVersion":"2025-06-18","capabilities":{}})");
  EXPECT_EQ(bj::serialize(result), R"({"protocolVersion":"2025-06-18","capabilities":{"tools":{}},)"
                                   R"("serverInfo":{"name":"openai-responses-mcp","version":"1.2.3"}})");
}

TEST_F(AnswerServiceTest, S0_13_AnswerIsTheFirstOfTheTools) {
  const auto names = [&] {
    std::vector<std::string> all;
    const auto listed = result_of("tools/list", "{}");
    for (const auto& tool : listed.at("tools").as_array()) all.emplace_back(tool.at("name").as_string());
    return all;
  };
  EXPECT_THAT(names(), ElementsAre("answer", "answer_detailed", "answer_quick"));
  setup_.config.tools = {"answer_quick"};
  EXPECT_THAT(names(), ElementsAre("answer", "answer_quick"));
  setup_.config.tools = {};
  EXPECT_THAT(names(), ElementsAre("answer"));
}

TEST_F(AnswerServiceTest, S0_14_TheSchemaOfAnswerIsTheDocuments) {
  auto schema = result_of("tools/list", "{}").at("tools").at(0).at("inputSchema");
  for (auto& property : schema.at("properties").as_object()) {
    EXPECT_TRUE(property.value().as_object().erase("description")) << property.key();
  }
  EXPECT_EQ(bj::serialize(schema),
            R"({"type":"object","properties":{"query":{"type":"string"},"recency_days":{"type":"number"},)"
            R"("max_results":{"type":"number"},"domains":{"type":"array","items":{"type":"string"}},)"
            R"("style":{"enum":["summary","bullets","citations-only"]}},"required":["query"]})");
}

TEST_F(AnswerServiceTest, S0_15_TheDescriptionSpeaksOfSearchAndCitations) {
  EXPECT_EQ(result_of("tools/list", "{}").at("tools").at(0).at("description"),
            "Performs web search as needed and returns answers with evidence (including citations)");
}

TEST_F(AnswerServiceTest, S0_16_S0_17_AJapaneseQuestionIsAnsweredByJsonInAText) {
  endpoint(http_answer(200, plain_reply));
  EXPECT_EQ(bj::serialize(answered("answer", R"({"query":"HTTP 404 の意味は？","style":"summary"})")),
            R"({"answer":"見つからない","used_search":false,"citations":[],"model":"gpt-5"})");
  const auto text = asked().at("input").at(0).at("content").at(0).at("text");
  EXPECT_TRUE(std::string_view(text.as_string()).starts_with("HTTP 404 の意味は？\n[Hints] "));
}

TEST_F(AnswerServiceTest, S0_19_AMissingQueryIsRefusedAsTheDocumentSays) {
  for (const auto* arguments : {"{}", R"({"style":"summary"})", R"({"query":"  "})"}) {
    const auto error = wire_error(call_tool("answer", arguments));
    EXPECT_EQ(error.code, -32001);
    EXPECT_EQ(error.message, "answer: invalid arguments");
    EXPECT_EQ(error.data->text(), R"({"reason":"query is required"})") << arguments;
  }
}

TEST_F(AnswerServiceTest, OtherArgumentsAreCheckedToo) {
  for (const auto* arguments : {R"({"query":7})", R"({"query":"q","style":"poem"})", R"({"query":"q","domains":"a"})",
                                R"({"query":"q","recency_days":-1})", R"({"query":"q","max_results":"5"})"}) {
    const auto error = wire_error(call_tool("answer", arguments));
    EXPECT_EQ(error.message, "answer: invalid arguments") << arguments;
    EXPECT_THAT(std::string(error.data->text()), HasSubstr("reason"));
  }
}

TEST_F(AnswerServiceTest, EachToolAsksByItsOwnProfile) {
  setup_.config.model_profiles.answer_detailed = Profile{.reasoning_effort = "high"};
  setup_.config.model_profiles.answer_quick = Profile{.model = "gpt-4.1-nano"};
  endpoint(http_answer(200, plain_reply));
  EXPECT_EQ(answered("answer_detailed", R"({"query":"q"})").at("model"), "gpt-5");
  EXPECT_EQ(asked().at("reasoning").at("effort"), "high");
  EXPECT_EQ(answered("answer_quick", R"({"query":"q"})").at("model"), "gpt-4.1-nano");
  EXPECT_FALSE(asked().as_object().contains("reasoning"));
  EXPECT_EQ(asked().at("instructions"), "Be brief.");
}

TEST_F(AnswerServiceTest, AFailureIsToldInTheDialectsForm) {
  setup_.key = {};
  const auto error = wire_error(call_tool("answer", R"({"query":"q"})"));
  EXPECT_EQ(error.code, -32001);
  EXPECT_EQ(error.message, "answer failed");
  EXPECT_EQ(error.data->text(), R"({"message":"Missing API key: set OPENAI_API_KEY"})");
}

TEST_F(AnswerServiceTest, WhoDebugsIsToldMore) {
  setup_.debug = true;
  endpoint(http_answer(400, R"({"error":{"message":"no such model","type":"invalid_request_error"}})"));
  const auto error = wire_error(call_tool("answer", R"({"query":"q"})"));
  EXPECT_EQ(error.data->text(), R"({"message":"400 no such model","status":400,"type":"invalid_request_error",)"
                                R"("name":"BadRequestError"})");
}

TEST_F(AnswerServiceTest, AnEndpointThatRepeatsTheKeyDoesNotGiveItAway) {
  setup_.debug = true;
  const auto said = std::string(R"({"error":{"message":"Incorrect API key provided: )") + secret_key + R"(","type":")" +
                    secret_key + R"("}})";
  endpoint(http_answer(401, said));
  const auto error = wire_error(call_tool("answer", R"({"query":"q"})"));
  EXPECT_THAT(error.message + std::string(error.data->text()), Not(HasSubstr("planted")));
  EXPECT_THAT(std::string(error.data->text()), HasSubstr("Incorrect API key"));
}

TEST_F(AnswerServiceTest, ALongMessageIsCutBetweenCharacters) {
  std::string essay;
  while (essay.size() < 1000) essay += "あ";
  endpoint(http_answer(400, R"({"error":{"message":")" + essay + R"("}})"));
  const auto reply = call_tool("answer", R"({"query":"q"})");
  EXPECT_LE(reply.error().message.size(), 400U);
  EXPECT_TRUE(reply.error().message.ends_with("あ"));
}

TEST_F(AnswerServiceTest, AReplyThatIsNoneIsAFailureOfTheTool) {
  endpoint(http_answer(200, "<html>"));
  EXPECT_THAT(wire_error(call_tool("answer", R"({"query":"q"})")).data->text(), HasSubstr("is no JSON"));
}

TEST_F(AnswerServiceTest, WhoAsksForProgressHearsOfAttemptsAndOfWaiting) {
  setup_.sign_of_life = std::chrono::milliseconds{20};
  setup_.config.request.max_retries = 1;
  endpoint([count = 0](const auto&, auto) mutable {
    return ++count == 1 ? http_answer(500, "{}") : http_answer(200, plain_reply);
  });
  HearingChannel back;
  auto call = request("tools/call", R"({"name":"answer","arguments":{"query":"q"}})");
  call.context.back = &back;
  call.context.progress_token = jsonrpc::Id(std::int64_t{7});
  EXPECT_TRUE(send(std::move(call)));
  ASSERT_GE(back.heard.size(), 3U);
  EXPECT_THAT(back.heard.front(), HasSubstr(R"("message":"asking gpt-5")"));
  EXPECT_THAT(back.heard, testing::Contains(HasSubstr("gpt-5 has been working for 20ms")));
  EXPECT_THAT(back.heard, testing::Contains(HasSubstr("attempt 2")));
}

}  // namespace
}  // namespace fairlead::answer
