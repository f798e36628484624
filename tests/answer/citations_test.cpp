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

ReplySources sources_in(std::string_view output) {
  return sources_in_reply(json::parse_dom(output));
}

std::string message_with(std::string_view annotations) {
  return R"({"type":"message","content":[{"type":"output_text","text":"t","annotations":[)" + std::string(annotations) +
         "]}]}";
}

std::vector<Citation> merged(std::string_view output, std::size_t most = 10) {
  return merge_citations(sources_in(output), most, some_day);
}

TEST(Citations, ReadsFlatAndNestedAnnotations) {
  const auto found = sources_in("[" + message_with(R"({"type":"url_citation","url":"https://a.example","title":"A"},
      {"type":"url_citation","url_citation":{"url":"https://b.example"}},{"type":"file_citation","url":"https://c"})") +
                                "]");
  EXPECT_TRUE(found.searched) << "a citation implies a search";
  EXPECT_THAT(found.cited, ElementsAre(SourceMention{.url = "https://a.example", .title = "A"},
                                       SourceMention{.url = "https://b.example"}));
}

TEST(Citations, ReadsSourcesAsStringsAndObjects) {
  const auto found = sources_in(R"([{"type":"web_search_call","action":{"sources":[
      "https://a.example",
      {"url":"https://b.example","title":"B","published_at":"2025-03-04T05:06:07Z"},
      {"link":"https://c.example","name":"C","published_date":"on 2024-12-31"},
      {"url":"https://d.example","date":"yesterday"},
      {"type":"api","name":"oai-weather"},
      {"type":"api"}, 7, null, ""]}}])");
  EXPECT_THAT(found.sources, ElementsAre(SourceMention{.url = "https://a.example"},
                                         SourceMention{.url = "https://b.example", .title = "B", .date = "2025-03-04"},
                                         SourceMention{.url = "https://c.example", .title = "C", .date = "2024-12-31"},
                                         SourceMention{.url = "https://d.example"},
                                         SourceMention{.url = "oai-weather", .title = "api"}));
}

TEST(Citations, ReadsSourcesAtEveryDocumentedLevel) {
  const auto urls = [](std::string_view call) {
    std::vector<std::string> all;
    for (const auto& found : sources_in("[" + std::string(call) + "]").sources) all.push_back(found.url);
    return all;
  };
  EXPECT_THAT(urls(R"({"type":"web_search_call","web_search_call":{"action":{"sources":["https://n.example"]}}})"),
              ElementsAre("https://n.example"));
  EXPECT_THAT(urls(R"({"type":"web_search_call","sources":["https://s.example"]})"), ElementsAre("https://s.example"));
  EXPECT_THAT(urls(R"({"type":"web_search_call","action":{"sources":["https://1.example"]},"sources":["https://2"]})"),
              ElementsAre("https://1.example"));
}

TEST(Citations, CollectsUrlsFromASearchWithoutSources) {
  const auto found = sources_in(R"([{"type":"web_search_call","action":{"note":"see https://a.example/x). and
      (http://b.example); not httpd nor ftp://c","more":{"deep":["https://d.example,"]}}}])");
  EXPECT_THAT(found.sources,
              ElementsAre(SourceMention{.url = "https://a.example/x"}, SourceMention{.url = "http://b.example"},
                          SourceMention{.url = "https://d.example"}));
}

TEST(Citations, LimitsDepthAndNumberOfCollectedUrls) {
  std::string many, deep = R"("https://deep.example")";
  for (int i = 0; i < 60; ++i) many += (many.empty() ? "" : ",") + ("\"https://" + std::to_string(i) + ".example\"");
  for (int i = 0; i < 9; ++i) deep = "[" + deep + "]";
  EXPECT_THAT(sources_in(R"([{"type":"web_search_call","x":[)" + many + "]}]").sources, SizeIs(50));
  EXPECT_THAT(sources_in(R"([{"type":"web_search_call","x":)" + deep + "}]").sources, IsEmpty());
}

TEST(Citations, IgnoresOutputOfAnotherShape) {
  for (const auto* output :
       {"null", "7", R"({"type":"web_search_call"})", R"([null,"x",{"type":"message","content":7}])"}) {
    const auto found = sources_in(output);
    EXPECT_FALSE(found.searched) << output;
    EXPECT_THAT(merge_citations(found, 3, some_day), IsEmpty());
  }
}

TEST(CitationMerge, KeepsCitedUrlsOnceAndSourcesWithoutUrl) {
  const auto all = merged("[" + message_with(R"({"type":"url_citation","url":"https://a.example","title":"A"},
      {"type":"url_citation","url":"https://a.example","title":"again"})") +
                          R"(,{"type":"web_search_call","action":{"sources":["https://b.example",
      {"type":"api","name":"oai-weather"},{"url":"https://a.example","date":"2025-01-01"}]}}])");
  EXPECT_THAT(all, ElementsAre(Citation{.url = "https://a.example", .title = "A", .published_at = "2025-01-01"},
                               Citation{.url = "oai-weather", .title = "api", .published_at = "2026-01-02"}));
}

TEST(CitationMerge, KeepsAllSourcesIfNothingIsCited) {
  const auto all = merged(R"([{"type":"web_search_call","action":{"sources":["https://a.example","https://a.example",
      {"url":"https://b.example","published_at":"2025-05-06"}]}}])");
  EXPECT_THAT(all, ElementsAre(Citation{.url = "https://a.example", .published_at = "2026-01-02"},
                               Citation{.url = "https://b.example", .published_at = "2025-05-06"}));
}

TEST(CitationMerge, LimitsCitations) {
  const auto* output = R"([{"type":"web_search_call","action":{"sources":["https://1","https://2","https://3"]}}])";
  EXPECT_THAT(merged(output, 2), SizeIs(2));
}

TEST(IsoDate, FindsOnlyValidDates) {
  EXPECT_EQ(iso_date_in("2025-08-15"), "2025-08-15");
  EXPECT_EQ(iso_date_in("on 2025-08-15T10:00Z"), "2025-08-15");
  for (const auto* text : {"", "2025-8-15", "2025-13-01", "2025-00-10", "2025-01-32", "12025-01-01", "2025-01-011"}) {
    EXPECT_EQ(iso_date_in(text), "") << text;
  }
}

}  // namespace
}  // namespace fairlead::answer
