#include "answer/request.hpp"

#include <boost/json.hpp>
#include <fairlead/json/dom.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlead::answer {
namespace {

namespace bj = boost::json;

Profile profile_of(std::string model) {
  return {.model = std::move(model), .reasoning_effort = "high", .verbosity = "low"};
}

bj::object body_of(std::string model) {
  return json::parse_dom(request_body(profile_of(std::move(model)), "Be brief.", "Why?")).as_object();
}

TEST(AnswerRequest, ArgumentsOverrideDefaultHints) {
  const SearchDefaults defaults{.recency_days = 60, .max_results = 5};
  EXPECT_EQ(user_text({.query = "Why?"}, defaults), "Why?\n[Hints] recency_days=60, max_results=5.");
  EXPECT_EQ(user_text({.query = "Why?", .recency_days = 1.5, .max_results = 2}, defaults),
            "Why?\n[Hints] recency_days=1.5, max_results=2.");
}

TEST(AnswerRequest, ListsDomainsIfAny) {
  const SearchDefaults defaults{.domains = {"a.example"}};
  EXPECT_THAT(user_text({.query = "q"}, defaults), testing::EndsWith(" max_results=5. domains: a.example"));
  EXPECT_THAT(user_text({.query = "q", .domains = {{"b.example", "c.example"}}}, defaults),
              testing::EndsWith(" domains: b.example, c.example"));
  const AnswerArguments nowhere{.query = "q", .domains = std::vector<std::string>{}};
  EXPECT_EQ(user_text(nowhere, defaults), "q\n[Hints] recency_days=60, max_results=5.");
}

TEST(AnswerRequest, AddsAStyleHint) {
  EXPECT_THAT(user_text({.query = "q", .style = "bullets"}, {}),
              testing::EndsWith("max_results=5.\n[Style] bullets: answer as a list of short bullet points."));
  EXPECT_THAT(user_text({.query = "q", .style = "citations-only"}, {}), testing::HasSubstr("sources only"));
  EXPECT_THAT(user_text({.query = "q", .style = "summary"}, {}), testing::HasSubstr("short summary"));
}

TEST(AnswerRequest, BodyRequestsWebSearchAndSources) {
  const auto body = body_of("gpt-5.5");
  EXPECT_EQ(body.at("model"), "gpt-5.5");
  EXPECT_EQ(body.at("instructions"), "Be brief.");
  EXPECT_EQ(bj::serialize(body.at("input")), R"([{"role":"user","content":[{"type":"input_text","text":"Why?"}]}])");
  EXPECT_EQ(bj::serialize(body.at("tools")), R"([{"type":"web_search"}])");
  EXPECT_EQ(bj::serialize(body.at("include")), R"(["web_search_call.action.sources"])");
  EXPECT_EQ(bj::serialize(body.at("text")), R"({"verbosity":"low"})");
  EXPECT_EQ(bj::serialize(body.at("reasoning")), R"({"effort":"high"})");
  EXPECT_EQ(body.size(), 7U) << "no timeout, no stream";
}

TEST(AnswerRequest, SendsParametersOnlyToModelsThatSupportThem) {
  for (const auto* model : {"o3", "o4-mini"}) {
    EXPECT_TRUE(body_of(model).contains("reasoning")) << model;
    EXPECT_FALSE(body_of(model).contains("text")) << model;
  }
  const auto plain = body_of("gpt-4.1");
  EXPECT_FALSE(plain.contains("reasoning") || plain.contains("text"));
}

TEST(AnswerRequest, RejectsABlankQueryAndInvalidNumbers) {
  EXPECT_TRUE(check_arguments({.query = "q", .recency_days = 0, .max_results = 1}));
  EXPECT_EQ(check_arguments({.query = " \n"}).error().message, "query is required");
  EXPECT_THAT(check_arguments({.query = "q", .recency_days = -1}).error().message, testing::HasSubstr("recency_days"));
  EXPECT_THAT(check_arguments({.query = "q", .max_results = 0}).error().message, testing::HasSubstr("max_results"));
}

}  // namespace
}  // namespace fairlead::answer
