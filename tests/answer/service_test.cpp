#include "answer/service.hpp"

#include <boost/json.hpp>
#include <fairlead/json/dom.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <gmock/gmock.h>

#include "answer/answer_fixture.hpp"

namespace fairlead::answer {
namespace {

namespace bj = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr auto secret_key = "sk-planted-0123456789";
constexpr auto plain_reply = R"({"output_text":"見つからない","output":[]})";

/// Records the notifications of a request.
class RecordingChannel final : public session::PeerChannel {
 public:
  Task<Result<session::Reply>> request(std::string, json::Payload) override { co_return fail(ErrorKind::closed, ""); }
  Task<Result<void>> notify(std::string, json::Payload params) override {
    notifications.emplace_back(params.text());
    co_return Result<void>{};
  }
  std::vector<std::string> notifications;
};

class AnswerServiceTest : public AnswerFixture {
 protected:
  AnswerServiceTest() {
    options_.config.model_profiles.answer->model = "gpt-5";
    options_.instructions = "Be brief.";
    options_.key = ApiKey(secret_key);
    options_.version = "1.2.3";
  }

  session::Call request(std::string_view method, std::string params) {
    session::Call call{.method = std::string(method), .params = json::Payload::trusted(std::move(params))};
    call.context.revision = protocol::find_revision("2025-06-18");
    return call;
  }
  Result<session::Reply> send(session::Call call) {
    if (endpoint_) options_.config.openai.base_url = base_url();
    AnswerService service(options_, loop_.log());
    return loop_.run(service.call(call));
  }
  bj::value result_of(std::string_view method, std::string params) {
    auto reply = send(request(method, std::move(params)));
    return reply ? reply->body.value() : bj::value(reply.error().message);
  }
  Result<session::Reply> call_tool(const std::string& tool, const std::string& arguments) {
    return send(request("tools/call", R"({"name":")" + tool + R"(","arguments":)" + arguments + "}"));
  }
  /// The JSON in the text block of the result.
  bj::value answered(const std::string& tool, const std::string& arguments) {
    const auto reply = call_tool(tool, arguments);
    if (!reply) return bj::string(reply.error().message);
    const auto& content = reply->body.value().at("content").as_array();
    EXPECT_EQ(content.size(), 1U);
    EXPECT_EQ(content.at(0).at("type"), "text");
    return json::parse_dom(std::string(content.at(0).at("text").as_string()));
  }
  /// The error in wire format.
  jsonrpc::ErrorObject wire_error(const Result<session::Reply>& reply) {
    const auto lowered =
        protocol::encode_error(reply.error(), *protocol::find_revision("2025-06-18"), protocol::ErrorDialect::answer);
    return std::get<protocol::WireError>(lowered).error;
  }
  bj::value last_request() const {
    const auto& request = endpoint_->requests().back();
    return json::parse_dom(request.substr(request.find("\r\n\r\n") + 4));
  }

  AnswerOptions options_;
};

TEST_F(AnswerServiceTest, S0_12_InitializeDeclaresOnlyTools) {
  const auto result = result_of("initialize", R"({"protocolVersion":"2025-06-18","capabilities":{}})");
  EXPECT_EQ(bj::serialize(result), R"({"protocolVersion":"2025-06-18","capabilities":{"tools":{}},)"
                                   R"("serverInfo":{"name":"openai-responses-mcp","version":"1.2.3"}})");
}

TEST_F(AnswerServiceTest, S0_13_AnswerIsTheFirstTool) {
  const auto names = [&] {
    std::vector<std::string> all;
    const auto listed = result_of("tools/list", "{}");
    for (const auto& tool : listed.at("tools").as_array()) all.emplace_back(tool.at("name").as_string());
    return all;
  };
  EXPECT_THAT(names(), ElementsAre("answer", "answer_detailed", "answer_quick"));
  options_.config.tools = {"answer_quick"};
  EXPECT_THAT(names(), ElementsAre("answer", "answer_quick"));
  options_.config.tools = {};
  EXPECT_THAT(names(), ElementsAre("answer"));
}

TEST_F(AnswerServiceTest, S0_14_AnswerSchemaMatchesTheDocument) {
  auto schema = result_of("tools/list", "{}").at("tools").at(0).at("inputSchema");
  for (auto& property : schema.at("properties").as_object()) {
    EXPECT_TRUE(property.value().as_object().erase("description")) << property.key();
  }
  EXPECT_EQ(bj::serialize(schema),
            R"({"type":"object","properties":{"query":{"type":"string"},"recency_days":{"type":"number"},)"
            R"("max_results":{"type":"number"},"domains":{"type":"array","items":{"type":"string"}},)"
            R"("style":{"enum":["summary","bullets","citations-only"]}},"required":["query"]})");
}

TEST_F(AnswerServiceTest, S0_15_DescriptionNamesSearchAndCitations) {
  EXPECT_EQ(result_of("tools/list", "{}").at("tools").at(0).at("description"),
            "Performs web search as needed and returns answers with evidence (including citations)");
}

TEST_F(AnswerServiceTest, S0_16_S0_17_AnswersAJapaneseQuestionWithJsonText) {
  endpoint(http_answer(200, plain_reply));
  EXPECT_EQ(bj::serialize(answered("answer", R"({"query":"HTTP 404 の意味は？","style":"summary"})")),
            R"({"answer":"見つからない","used_search":false,"citations":[],"model":"gpt-5"})");
  const auto text = last_request().at("input").at(0).at("content").at(0).at("text");
  EXPECT_TRUE(std::string_view(text.as_string()).starts_with("HTTP 404 の意味は？\n[Hints] "));
}

TEST_F(AnswerServiceTest, S0_19_RejectsAMissingQuery) {
  for (const auto* arguments : {"{}", R"({"style":"summary"})", R"({"query":"  "})"}) {
    const auto error = wire_error(call_tool("answer", arguments));
    EXPECT_EQ(error.code, -32001);
    EXPECT_EQ(error.message, "answer: invalid arguments");
    EXPECT_EQ(error.data->text(), R"({"reason":"query is required"})") << arguments;
  }
}

TEST_F(AnswerServiceTest, ValidatesOtherArguments) {
  for (const auto* arguments : {R"({"query":7})", R"({"query":"q","style":"poem"})", R"({"query":"q","domains":"a"})",
                                R"({"query":"q","recency_days":-1})", R"({"query":"q","max_results":"5"})"}) {
    const auto error = wire_error(call_tool("answer", arguments));
    EXPECT_EQ(error.message, "answer: invalid arguments") << arguments;
    EXPECT_THAT(std::string(error.data->text()), HasSubstr("reason"));
  }
}

TEST_F(AnswerServiceTest, EachToolUsesItsProfile) {
  options_.config.model_profiles.answer_detailed = Profile{.reasoning_effort = "high"};
  options_.config.model_profiles.answer_quick = Profile{.model = "gpt-4.1-nano"};
  endpoint(http_answer(200, plain_reply));
  EXPECT_EQ(answered("answer_detailed", R"({"query":"q"})").at("model"), "gpt-5");
  EXPECT_EQ(last_request().at("reasoning").at("effort"), "high");
  EXPECT_EQ(answered("answer_quick", R"({"query":"q"})").at("model"), "gpt-4.1-nano");
  EXPECT_FALSE(last_request().as_object().contains("reasoning"));
  EXPECT_EQ(last_request().at("instructions"), "Be brief.");
}

TEST_F(AnswerServiceTest, FailureUsesTheDialectsErrorFormat) {
  options_.key = {};
  const auto error = wire_error(call_tool("answer", R"({"query":"q"})"));
  EXPECT_EQ(error.code, -32001);
  EXPECT_EQ(error.message, "answer failed");
  EXPECT_EQ(error.data->text(), R"({"message":"Missing API key: set OPENAI_API_KEY"})");
}

TEST_F(AnswerServiceTest, DebugAddsErrorDetails) {
  options_.debug = true;
  endpoint(http_answer(400, R"({"error":{"message":"no such model","type":"invalid_request_error"}})"));
  const auto error = wire_error(call_tool("answer", R"({"query":"q"})"));
  EXPECT_EQ(error.data->text(), R"({"message":"400 no such model","status":400,"type":"invalid_request_error",)"
                                R"("name":"BadRequestError"})");
}

TEST_F(AnswerServiceTest, RedactsTheKeyInEndpointErrors) {
  options_.debug = true;
  const auto error_body = std::string(R"({"error":{"message":"Incorrect API key provided: )") + secret_key +
                          R"(","type":")" + secret_key + R"("}})";
  endpoint(http_answer(401, error_body));
  const auto error = wire_error(call_tool("answer", R"({"query":"q"})"));
  EXPECT_THAT(error.message + std::string(error.data->text()), Not(HasSubstr("planted")));
  EXPECT_THAT(std::string(error.data->text()), HasSubstr("Incorrect API key"));
}

TEST_F(AnswerServiceTest, TruncatesALongMessageBetweenCharacters) {
  std::string essay;
  while (essay.size() < 1000) essay += "あ";
  endpoint(http_answer(400, R"({"error":{"message":")" + essay + R"("}})"));
  const auto reply = call_tool("answer", R"({"query":"q"})");
  EXPECT_LE(reply.error().message.size(), 400U);
  EXPECT_TRUE(reply.error().message.ends_with("あ"));
}

TEST_F(AnswerServiceTest, InvalidReplyFailsTheTool) {
  endpoint(http_answer(200, "<html>"));
  EXPECT_THAT(wire_error(call_tool("answer", R"({"query":"q"})")).data->text(), HasSubstr("is not valid JSON"));
}

TEST_F(AnswerServiceTest, SendsProgressForAttemptsAndWhileWaiting) {
  options_.progress_interval = std::chrono::milliseconds{20};
  options_.config.request.max_retries = 1;
  endpoint([count = 0](const auto&, auto) mutable {
    return ++count == 1 ? http_answer(500, "{}") : http_answer(200, plain_reply);
  });
  RecordingChannel channel;
  auto call = request("tools/call", R"({"name":"answer","arguments":{"query":"q"}})");
  call.context.peer = &channel;
  call.context.progress_token = jsonrpc::Id(std::int64_t{7});
  EXPECT_TRUE(send(std::move(call)));
  ASSERT_GE(channel.notifications.size(), 3U);
  EXPECT_THAT(channel.notifications.front(), HasSubstr(R"("message":"asking gpt-5")"));
  EXPECT_THAT(channel.notifications, testing::Contains(HasSubstr("still waiting for gpt-5 after 20ms")));
  EXPECT_THAT(channel.notifications, testing::Contains(HasSubstr("attempt 2")));
}

}  // namespace
}  // namespace fairlead::answer
