#include "answer/reply.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlead::answer {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Result<Answer> reply_to(std::string body) {
  return read_reply(std::move(body), "gpt-5", 3, "2026-01-02");
}

TEST(AnswerReply, PrefersOutputText) {
  const auto answer = reply_to(R"({"output_text":"short","output":[{"type":"message","content":[
      {"type":"output_text","text":"long"}]}]})");
  EXPECT_EQ(answer->answer, "short");
}

TEST(AnswerReply, JoinsPartsWithABlankLine) {
  const auto answer = reply_to(R"({"output":[{"type":"reasoning","summary":[]},{"type":"message","content":[
      {"type":"output_text","text":"one"},{"type":"other","text":"no"},{"type":"output_text","text":"二"}]},
      {"type":"message","content":[{"type":"output_text","text":"three"}]}]})");
  EXPECT_EQ(answer->answer, "one\n\n二\n\nthree");
}

TEST(AnswerReply, S0_18_NoCitationsWithoutASearch) {
  const auto answer = reply_to(R"({"output_text":"404 means not found."})");
  ASSERT_TRUE(answer);
  EXPECT_EQ(*answer, (Answer{.answer = "404 means not found.", .used_search = false, .model = "gpt-5"}));
}

TEST(AnswerReply, ReportsASearchWithoutSources) {
  const auto answer = reply_to(R"({"output_text":"It is unknown.","output":[{"type":"web_search_call","action":{}}]})");
  EXPECT_TRUE(answer->used_search);
  EXPECT_THAT(answer->citations, IsEmpty());
  EXPECT_EQ(answer->answer, "It is unknown.");
}

TEST(AnswerReply, AppendsSourcesAfterASearch) {
  const auto answer = reply_to(R"({"output_text":"Yes.\n","output":[{"type":"web_search_call","action":{"sources":[
      {"url":"https://a.example","published_at":"2025-03-04"},{"name":"oai-weather","type":"api"}]}}]})");
  EXPECT_THAT(answer->citations, SizeIs(2));
  EXPECT_EQ(answer->answer, "Yes.\n\nSources:\n- https://a.example (2025-03-04)\n- oai-weather (2026-01-02)");
}

TEST(AnswerReply, ReturnsARefusalAsTheAnswer) {
  const auto answer =
      reply_to(R"({"output":[{"type":"message","content":[{"type":"refusal","refusal":"I cannot."}]}]})");
  EXPECT_EQ(answer->answer, "I cannot.");
}

TEST(AnswerReply, RejectsInvalidReplies) {
  EXPECT_THAT(reply_to("<html>").error().message, HasSubstr("is not valid JSON"));
  EXPECT_THAT(reply_to("[]").error().message, HasSubstr("is not an object"));
  EXPECT_THAT(reply_to("{}").error().message, HasSubstr("returned no answer"));
  EXPECT_THAT(reply_to(R"({"output":{"x":[1]},"output_text":7})").error().message, HasSubstr("returned no answer"));
  EXPECT_THAT(reply_to(R"({"output":[],"incomplete_details":{"reason":"max_output_tokens"}})").error().message,
              HasSubstr("max_output_tokens"));
  EXPECT_EQ(reply_to(R"({"error":{"message":"the model is gone"},"output_text":"x"})").error().message,
            "the model is gone");
  EXPECT_TRUE(reply_to(R"({"error":null,"output_text":"x"})"));
}

const std::vector<Citation> one_source{{.url = "https://a.example", .published_at = "2025-03-04"}};

TEST(AnswerSources, KeepsASourcesSectionWithDates) {
  const std::string text = "Yes.\n\nSources:\n- https://other.example (2024-01-01)";
  EXPECT_EQ(with_sources(text, one_source), text);
}

TEST(AnswerSources, AddsLinesToASourcesSectionWithoutDates) {
  EXPECT_EQ(with_sources("On 2024-01-01.\n\n**Sources:**\n- https://a.example\n", one_source),
            "On 2024-01-01.\n\n**Sources:**\n- https://a.example\n- https://a.example (2025-03-04)");
}

TEST(AnswerSources, IgnoresTheWordSourcesInsideALine) {
  EXPECT_EQ(with_sources("My sources: none.", one_source),
            "My sources: none.\n\nSources:\n- https://a.example (2025-03-04)");
  EXPECT_EQ(with_sources("", one_source), "Sources:\n- https://a.example (2025-03-04)");
}

TEST(AnswerDay, UsesTheTokyoTimeZone) {
  using std::chrono::sys_days, std::chrono::hours;
  const sys_days new_year = std::chrono::year{2026} / 1 / 1;
  EXPECT_EQ(day_in_tokyo(new_year), "2026-01-01");
  EXPECT_EQ(day_in_tokyo(new_year - hours{9}), "2026-01-01");
  EXPECT_EQ(day_in_tokyo(new_year - hours{10}), "2025-12-31");
}

}  // namespace
}  // namespace fairlead::answer
