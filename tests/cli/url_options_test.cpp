#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/server_options.hpp"

namespace fairlead::cli::url_options_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(TakeUrl, FindsItAmongTheWords) {
  Words words{.own = {"tools", "--json", "http://host/mcp", "x"}};
  EXPECT_EQ(take_url(words), "http://host/mcp");
  EXPECT_THAT(words.own, ElementsAre("tools", "--json", "x"));
}

TEST(TakeUrl, FindsItBehindTheDashesToo) {
  Words words{.own = {"tools"}, .child = {"wss://host/ws"}};
  EXPECT_EQ(take_url(words), "wss://host/ws");
  EXPECT_THAT(words.child, IsEmpty());
}

TEST(TakeUrl, TakesTheFirstAndLeavesTheOthers) {
  Words words{.own = {"https://host/mcp", "http://docs/resource"}};
  EXPECT_EQ(take_url(words), "https://host/mcp");
  EXPECT_THAT(words.own, ElementsAre("http://docs/resource"));
}

TEST(TakeUrl, LeavesWhatBelongsToAnOptionOrAnArgument) {
  Words words{.own = {"call", "--root", "http://root/", "page=http://x/"}};
  EXPECT_EQ(take_url(words), "");
  EXPECT_EQ(words.own.size(), 4U);
}

TEST(TakeUrl, LeavesEverythingWhereACommandIsNamed) {
  Words words{.own = {"http://docs/resource"}, .child = {"./server", "http://x"}};
  EXPECT_EQ(take_url(words), "");
}

TEST(ChooseHttp, ReadsHeaders) {
  const auto chosen = choose_http({.headers = {"X-Team: red", "X-Empty:"}, .bearer = "t", .ca_file = "ca.pem"});
  ASSERT_TRUE(chosen);
  EXPECT_THAT(chosen->headers, ElementsAre(http::Header{"X-Team", "red"}, http::Header{"X-Empty", ""}));
  EXPECT_EQ(chosen->bearer, "t");
  EXPECT_EQ(chosen->http.tls.ca_file, "ca.pem");
  EXPECT_FALSE(choose_http({.headers = {"no colon"}}));
}

}  // namespace
}  // namespace fairlead::cli::url_options_test
