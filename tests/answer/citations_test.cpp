#include "answer/citations.hpp"

#include <boost/json.hpp>
#include <fairlead/json/dom.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlead::answer {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::string_view some_day = "2026-01-02";

Evidence evidence_of(std::string_view output) {
  return evidence_in(json::parse_dom(output));
}

std::string message_with(std::string_view annotations) {
  return R"({"type":"message","content":[{"type":"output_text","text":"t","annotations":[)" + std::string(annotations) +
         "]}]}";
}

std::vector<Citation> merged(std::string_view output, std::size_t most = 10) {
  return merge_citations(evidence_of(output), most, some_day);
}

TEST(Citations, AreReadFromFlatAndFromNestedAnnotations) {
  const auto found = evidence_of("[" + message_with(R"({"type":"url_citation","url":"https://a.example","title":"A"},
      {"type":"url_citation","url_citation":{"url":"https://b.example"}},{"type":"file_citation","url":"https://c"})") +
                                 "]");
  EXPECT_TRUE(found.searched) << "who cites has searched";
  EXPECT_THAT(found.cited,
              ElementsAre(Found{.url = "https://a.example", .title = "A"}, Found{.url = "https://b.example"}));
}

TEST(Citations, SourcesAreTextsOrObjectsOfSeveralShapes) {
  const auto found = evidence_of(R"([{"type":"web_search_call","action":{"sources":[
      "https://a.example",
      {"url":"https://b.example","title":"B","published_at":"2025-03-04T05:06:07Z"},
      {"link":"https://c.example","name":"C","published_date":"on 2024-12-31"},
      {"url":"https://d.example","date":"yesterday"},
      {"type":"api","name":"oai-weather"},
      {"type":"api"}, 7, null, ""]}}])");
  EXPECT_THAT(found.sources,
              ElementsAre(Found{.url = "https://a.example"},
                          Found{.url = "https://b.example", .title = "B", .date = "2025-03-04"},
                          Found{.url = "https://c.example", .title = "C", .date = "2024-12-31"},
                          Found{.url = "https://d.example"}, Found{.url = "oai-weather", .title = "api"}));
}

TEST(Citations, SourcesMayLieDeeperOrHigher) {
  const auto urls = [](std::string_view call) {
    std::vector<std::string> all;
    for (const auto& found : evidence_of("[" + std::string(call) + "]").sources) all.push_back(found.url);
    return all;
  };
  EXPECT_THAT(urls(R"({"type":"web_search_call","web_search_call":{"action":{"sources":["https://n.example"]}}})"),
              ElementsAre("https://n.example"));
  EXPECT_THAT(urls(R"({"type":"web_search_call","sources":["https://s.example"]})"), ElementsAre("https://s.example"));
  EXPECT_THAT(urls(R"({"type":"web_search_call","action":{"sources":["https://1.example"]},"sources":["https://2"]})"),
              ElementsAre("https://1.example"));
}

TEST(Citations, ASearchWithoutAListIsSearchedForAddresses) {
  const auto found = evidence_of(R"([{"type":"web_search_call","action":{"note":"see https://a.example/x). and
      (http://b.example); not httpd nor ftp://c","more":{"deep":["https://d.example,"]}}}])");
  EXPECT_THAT(found.sources, ElementsAre(Found{.url = "https://a.example/x"}, Found{.url = "http://b.example"},
                                         Found{.url = "https://d.example"}));
}

TEST(Citations, TheHarvestHasItsLimits) {
  std::string many, deep = R"("https://deep.example")";
  for (int i = 0; i < 60; ++i) many += (many.empty() ? "" : ",") + ("\"https://" + std::to_string(i) + ".example\"");
  for (int i = 0; i < 9; ++i) deep = "[" + deep + "]";
  EXPECT_THAT(evidence_of(R"([{"type":"web_search_call","x":[)" + many + "]}]").sources, SizeIs(50));
  EXPECT_THAT(evidence_of(R"([{"type":"web_search_call","x":)" + deep + "}]").sources, IsEmpty());
}

TEST(Citations, NothingIsFoundInWhatHasAnotherShape) {
  for (const auto* output :
       {"null", "7", R"({"type":"web_search_call"})", R"([null,"x",{"type":"message","content":7}])"}) {
    const auto found = evidence_of(output);
    EXPECT_FALSE(found.searched) << output;
    EXPECT_THAT(merge_citations(found, 3, some_day), IsEmpty());
  }
}

TEST(CitationMerge, TakesWhatIsCitedEachOnceAndSourcesWithAnIdOnly) {
  const auto all = merged("[" + message_with(R"({"type":"url_citation","url":"https://a.example","title":"A"},
      {"type":"url_citation","url":"https://a.example","title":"again"})") +
                          R"(,{"type":"web_search_call","action":{"sources":["https://b.example",
      {"type":"api","name":"oai-weather"},{"url":"https://a.example","date":"2025-01-01"}]}}])");
  EXPECT_THAT(all, ElementsAre(Citation{.url = "https://a.example", .title = "A", .published_at = "2025-01-01"},
                               Citation{.url = "oai-weather", .title = "api", .published_at = "2026-01-02"}));
}

TEST(CitationMerge, TakesAllSourcesWhereNothingIsCited) {
  const auto all = merged(R"([{"type":"web_search_call","action":{"sources":["https://a.example","https://a.example",
      {"url":"https://b.example","published_at":"2025-05-06"}]}}])");
  EXPECT_THAT(all, ElementsAre(Citation{.url = "https://a.example", .published_at = "2026-01-02"},
                               Citation{.url = "https://b.example", .published_at = "2025-05-06"}));
}

TEST(CitationMerge, KeepsNoMoreThanItMay) {
  const auto* output = R"([{"type":"web_search_call","action":{"sources":["https://1","https://2","https://3"]}}])";
  EXPECT_THAT(merged(output, 2), SizeIs(2));
}

TEST(IsoDate, IsFoundOnlyWhereItIsOne) {
  EXPECT_EQ(iso_date_in("2025-08-15"), "2025-08-15");
  EXPECT_EQ(iso_date_in("on 2025-08-15T10:00Z"), "2025-08-15");
  for (const auto* text : {"", "2025-8-15", "2025-13-01", "2025-00-10", "2025-01-32", "12025-01-01", "2025-01-011"}) {
    EXPECT_EQ(iso_date_in(text), "") << text;
  }
}

}  // namespace
}  // namespace fairlead::answer
