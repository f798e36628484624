#include <fairlead/server/prompt.hpp>

#include "server/harness.hpp"

namespace fairlead::server::test::prompt_test {
namespace {

using protocol::ProtocolError;
using testing::HasSubstr;

struct Review {
  Doc<std::string, "The change"> diff;
  std::optional<int> depth = {};
};

struct PromptTest : testing::Test {
  Server app{"demo", "1.0"};
  Client client{app};
};

TEST_F(PromptTest, ListsArguments_S3_14) {
  app.prompt("review", "Review code",
             [](Arg<"diff", std::string, "The change">, Arg<"depth", std::optional<int>>) { return ""; });
  EXPECT_EQ(client.body("prompts/list"),
            R"({"prompts":[{"name":"review","description":"Review code","arguments":[)"
            R"({"name":"diff","description":"The change","required":true},{"name":"depth","required":false}]}]})");
}

TEST_F(PromptTest, AcceptsArgumentsAsAStruct) {
  app.prompt("review", "", [](Review review) { return *review.diff + std::to_string(review.depth.value_or(0)); });
  EXPECT_THAT(client.body("prompts/list"), HasSubstr(R"({"name":"diff","description":"The change","required":true})"));
  EXPECT_THAT(client.body("prompts/get", R"({"name":"review","arguments":{"diff":"x","depth":"3"}})"), HasSubstr("x3"));
}

TEST_F(PromptTest, ReturnsMessages_S3_15) {
  app.prompt("review", "Review code", [](Arg<"diff", std::string> diff) { return "Review:\n" + *diff; });
  app.prompt("talk", "", [] { return std::vector{user("a"), assistant("b")}; });
  EXPECT_EQ(
      client.body("prompts/get", R"({"name":"review","arguments":{"diff":"x"}})"),
      R"({"description":"Review code","messages":[{"role":"user","content":{"type":"text","text":"Review:\nx"}}]})");
  EXPECT_THAT(client.body("prompts/get", R"({"name":"talk"})"), HasSubstr(R"({"role":"assistant","content")"));
}

TEST_F(PromptTest, RejectsUnknownNames) {
  app.prompt("review", "", [](Arg<"diff", std::string>) { return ""; });
  EXPECT_EQ(client.error_of("prompts/get", R"({"name":"other"})"), ProtocolError::prompt_missing);
  EXPECT_EQ(client.error_of("prompts/get", R"({"name":"review"})"), ProtocolError::invalid_params);
}

TEST_F(PromptTest, CompletesItsArguments) {
  app.prompt("review", "", [](Arg<"tone", std::string>) { return ""; });
  app.complete(protocol::PromptReference{.name = "review"}, "tone",
               [](std::string so_far) { return std::vector<std::string>{so_far + "1", so_far + "2"}; });
  const std::string ref = R"({"ref":{"type":"ref/prompt","name":"review"},"argument":{"name":")";
  EXPECT_EQ(client.body("completion/complete", ref + R"(tone","value":"k"}})"),
            R"({"completion":{"values":["k1","k2"]}})");
  EXPECT_EQ(client.body("completion/complete", ref + R"(other","value":"k"}})"), R"({"completion":{"values":[]}})");
  EXPECT_EQ(client.error_of("completion/complete",
                            R"({"ref":{"type":"ref/prompt","name":"none"},"argument":{"name":"a","value":""}})"),
            ProtocolError::prompt_missing);
}

TEST_F(PromptTest, CompletesTemplateVariablesWithOtherArguments) {
  app.resource<"log://{service}/{file}">("Log", [](Arg<"file", std::string>) { return ""; });
  app.complete(protocol::ResourceReference{.uri = "log://{service}/{file}"}, "file",
               [](const CompletionQuery& query) -> Task<std::vector<std::string>> {
                 co_return std::vector<std::string>{query.arguments.at("service") + query.value};
               });
  EXPECT_EQ(
      client.body(
          "completion/complete",
          R"({"ref":{"type":"ref/resource","uri":"log://{service}/{file}"},"argument":{"name":"file","value":"x"},)"
          R"("context":{"arguments":{"service":"web"}}})"),
      R"({"completion":{"values":["webx"]}})");
}

TEST_F(PromptTest, LimitsCompletionsTo100) {
  app.prompt("p", "", [](Arg<"a", std::string>) { return ""; });
  app.complete(protocol::PromptReference{.name = "p"}, "a",
               [](std::string) { return std::vector<std::string>(150, "x"); });
  const auto result = json::decode<protocol::CompleteResult>(client.body(
      "completion/complete", R"({"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":""}})"));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->completion.values.size(), 100U);
  EXPECT_EQ(result->completion.total, 150);
  EXPECT_EQ(result->completion.hasMore, true);
}

}  // namespace
}  // namespace fairlead::server::test::prompt_test
