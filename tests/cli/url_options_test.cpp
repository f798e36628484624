#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/server_options.hpp"

namespace fairlead::cli::url_options_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ExtractUrl, FindsTheUrlAmongTheArguments) {
  Args words{.own = {"tools", "--json", "http://host/mcp", "x"}};
  EXPECT_EQ(extract_url(words), "http://host/mcp");
  EXPECT_THAT(words.own, ElementsAre("tools", "--json", "x"));
}

TEST(ExtractUrl, FindsTheUrlAfterTheDashes) {
  Args words{.own = {"tools"}, .server_command = {"wss://host/ws"}};
  EXPECT_EQ(extract_url(words), "wss://host/ws");
  EXPECT_THAT(words.server_command, IsEmpty());
}

TEST(ExtractUrl, TakesTheFirstUrl) {
  Args words{.own = {"https://host/mcp", "http://docs/resource"}};
  EXPECT_EQ(extract_url(words), "https://host/mcp");
  EXPECT_THAT(words.own, ElementsAre("http://docs/resource"));
}

TEST(ExtractUrl, IgnoresUrlsThatAreOptionValuesOrArguments) {
  Args words{.own = {"call", "--root", "http://root/", "page=http://x/"}};
  EXPECT_EQ(extract_url(words), "");
  EXPECT_EQ(words.own.size(), 4U);
}

TEST(ExtractUrl, IgnoresUrlsWhenAServerCommandIsGiven) {
  Args words{.own = {"http://docs/resource"}, .server_command = {"./server", "http://x"}};
  EXPECT_EQ(extract_url(words), "");
}

TEST(ChooseHttp, ReadsHeaders) {
  const auto chosen = http_client_options({.headers = {"X-Team: red", "X-Empty:"}, .bearer = "t", .ca_file = "ca.pem"});
  ASSERT_TRUE(chosen);
  EXPECT_THAT(chosen->headers, ElementsAre(http::Header{"X-Team", "red"}, http::Header{"X-Empty", ""}));
  EXPECT_EQ(chosen->bearer, "t");
  EXPECT_EQ(chosen->http.tls.ca_file, "ca.pem");
  EXPECT_FALSE(http_client_options({.headers = {"no colon"}}));
}

}  // namespace
}  // namespace fairlead::cli::url_options_test
