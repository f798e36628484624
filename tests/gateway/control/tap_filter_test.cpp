#include "gateway/control/tap_filter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlead::gateway::tap_filter_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TapLine failed_search() {
  TapLine line{.endpoint = "gateway", .session = 7, .from = Sender::server, .kind = LineKind::reply};
  line.caller = "alice";
  line.method = "tools/call";
  line.id = jsonrpc::Id(std::int64_t{3});
  line.tool = "search";
  line.server = "git";
  line.status = "tool_error";
  return line;
}

bool passes(const std::vector<std::string>& words, const TapLine& line) {
  const auto filter = TapFilter::read(words);
  EXPECT_TRUE(filter) << filter.error().message;
  return filter && filter->matches(line);
}

std::string filter_error(const std::string& word) {
  const auto filter = TapFilter::read({word});
  return filter ? "" : filter.error().message;
}

TEST(TapFilter, WithoutTermsMatchesEverything) {
  EXPECT_TRUE(passes({}, failed_search()));
  EXPECT_TRUE(passes({}, TapLine{}));
}

TEST(TapFilter, AllTermsMustMatch) {
  EXPECT_TRUE(passes({"tool:search", "server:git", "caller:alice"}, failed_search()));
  EXPECT_FALSE(passes({"tool:search", "server:files"}, failed_search()));
}

TEST(TapFilter, MinusNegates) {
  EXPECT_FALSE(passes({"-tool:search"}, failed_search()));
  EXPECT_TRUE(passes({"-tool:fetch"}, failed_search()));
}

TEST(TapFilter, StarMatchesAnything) {
  EXPECT_TRUE(passes({"method:tools/*"}, failed_search()));
  EXPECT_TRUE(passes({"tool:se*ch", "tool:s?arch"}, failed_search()));
  EXPECT_FALSE(passes({"method:prompts/*"}, failed_search()));
}

TEST(TapFilter, MissingValuesMatchNoPattern) {
  EXPECT_FALSE(passes({"prompt:*"}, failed_search()));
  EXPECT_TRUE(passes({"-prompt:*"}, failed_search()));
}

TEST(TapFilter, FiltersBySenderAndKind) {
  EXPECT_TRUE(passes({"from:server", "kind:reply", "session:7", "id:3", "endpoint:gateway"}, failed_search()));
  EXPECT_FALSE(passes({"from:client"}, failed_search()));
}

TEST(TapFilter, ShowsSessionsOnlyOnRequest) {
  const TapLine opened{.endpoint = "gateway", .kind = LineKind::open};
  EXPECT_FALSE(passes({}, opened));
  EXPECT_FALSE(passes({"endpoint:gateway"}, opened));
  EXPECT_TRUE(passes({"kind:*"}, opened));
  EXPECT_TRUE(passes({"kind:open"}, opened));
}

TEST(TapFilter, ErrorMatchesEveryFailure) {
  auto line = failed_search();
  for (const auto* status : {"error", "tool_error", "closed", "timeout", "cancelled", "malformed"}) {
    line.status = status;
    EXPECT_TRUE(passes({"status:error"}, line)) << status;
  }
  line.status = "ok";
  EXPECT_FALSE(passes({"status:error"}, line));
  EXPECT_TRUE(passes({"-status:error"}, line));
  line.status = "timeout";
  EXPECT_FALSE(passes({"status:tool_error"}, line));
}

TEST(TapFilter, IgnoresTheStatusOfPendingCalls) {
  auto call = failed_search();
  call.kind = LineKind::call;
  call.status.reset();
  const auto filter = TapFilter::read({"tool:search", "status:error"});
  ASSERT_TRUE(filter);
  EXPECT_TRUE(filter->waits_for_end());
  EXPECT_TRUE(filter->may_match(call));
  call.tool = "fetch";
  EXPECT_FALSE(filter->may_match(call));
  EXPECT_FALSE(TapFilter::read({"tool:search"})->waits_for_end());
}

TEST(TapFilter, SaysWhatToWriteInstead) {
  EXPECT_THAT(filter_error("search"), AllOf(HasSubstr("'search'"), HasSubstr("tool:search")));
  EXPECT_THAT(filter_error("tool:"), HasSubstr("is not a filter"));
  EXPECT_THAT(filter_error("-tol:search"), HasSubstr("did you mean 'tool:'?"));
  EXPECT_THAT(filter_error("weather:fine"), HasSubstr("fields are tool, prompt"));
  EXPECT_THAT(filter_error("status:eror"), HasSubstr("statuses are ok, error, tool_error"));
}

}  // namespace
}  // namespace fairlead::gateway::tap_filter_test
