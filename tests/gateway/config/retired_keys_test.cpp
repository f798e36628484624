#include "gateway/config/retired_keys.hpp"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "gateway/control/tap_filter.hpp"
#include "gateway/fixtures/config_reader.hpp"

namespace fairlead::gateway::test::retired_keys_test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

struct RetiredText {
  const char* name;
  const char* text;
  const char* message;
};

class RetiredKeys : public testing::TestWithParam<RetiredText> {};

TEST_P(RetiredKeys, AreRefusedWithTheirNewName) {
  EXPECT_EQ(error_of(GetParam().text), GetParam().message);
}

const RetiredText texts[] = {
    {"Merge", "merge: {prefix: always}", "chain.yaml:1: merge: was renamed to naming, and its budget to max_length"},
    {"Parking", "parking: {places: 7}",
     "chain.yaml:1: parking: was renamed to pending_input, its places to max_calls and its patience to timeout"},
    {"Catalogue", "catalogue: lists.json", "chain.yaml:1: catalogue: was renamed to list_cache"},
    {"ListDeadline", "list_deadline: 3s", "chain.yaml:1: list_deadline: was renamed to list_timeout"},
    {"QuestionTimeout", "question_timeout: 3s",
     "chain.yaml:1: question_timeout: was renamed to server_request_timeout"},
    {"NamingBudget", "naming: {budget: 60}", "chain.yaml:1: naming.budget: was renamed to max_length"},
    {"RestartFirst", "servers: {git: {command: [x], restart: {first: 1s}}}",
     "chain.yaml:1: servers.git.restart.first: was renamed to initial_delay"},
    {"RestartMost", "servers: {git: {command: [x], restart: {most: 1s}}}",
     "chain.yaml:1: servers.git.restart.most: was renamed to max_delay"},
    {"RestartGiveUpAfter", "servers: {git: {command: [x], restart: {give_up_after: 1}}}",
     "chain.yaml:1: servers.git.restart.give_up_after: was renamed to max_failures"},
    {"TimeoutCap", "chain: [\"timeout(30s, cap=5m)\"]",
     "chain.yaml:1: chain[0]: timeout(cap=…) was renamed to max_time"},
    {"RetryMost", "chain: [{retry: {most: 5s}}]", "chain.yaml:1: chain[0]: retry(most=…) was renamed to max_delay"},
    {"HeadersWho", "chain: [\"headers(who=ann, X-Team=blue)\"]",
     "chain.yaml:1: chain[0]: headers(who=…) was renamed to caller"},
    {"AuthWho", "chain: [\"auth(who=ann)\"]", "chain.yaml:1: chain[0]: auth(who=…) was renamed to caller"},
};
INSTANTIATE_TEST_SUITE_P(OfVersion01, RetiredKeys, testing::ValuesIn(texts),
                         [](const auto& retired) { return retired.param.name; });

TEST(RetiredKeysTest, AreReportedBesideForeignServers) {
  EXPECT_EQ(error_of(R"({"mcpServers": {"git": {"command": "x"}}, "merge": {"prefix": "always"}})"),
            "chain.yaml:1: merge: was renamed to naming, and its budget to max_length");
}

TEST(RetiredKeysTest, DoNotReachTheMiddlewareUnderTheirOldName) {
  const auto file = std::filesystem::temp_directory_path() / ("fairlead_retired." + std::to_string(::getpid()));
  std::ofstream(file) << "servers: {git: {command: [x]}}\nchain: [\"timeout(30s, cap=5m)\"]\n";
  const std::vector<std::string> files{file.string()};
  const auto report = check_config_files(files);
  std::filesystem::remove(file);
  EXPECT_THAT(report.problems, ElementsAre(HasSubstr("timeout(cap=…) was renamed to max_time")));
  ASSERT_EQ(report.loaded.config.chain.size(), 1U);
  EXPECT_THAT(report.loaded.config.chain.front().arguments, ElementsAre(Pair("", "30s"), Pair("max_time", "5m")));
}

TEST(RetiredKeysTest, NameTheNewTapFilter) {
  for (const auto& [old_name, now] : {std::pair("room", "endpoint:"), std::pair("conversation", "session:")}) {
    const auto filter = TapFilter::read({std::string(old_name) + ":7"});
    ASSERT_FALSE(filter);
    EXPECT_THAT(filter.error().message, AllOf(HasSubstr(old_name), HasSubstr(now)));
  }
}

TEST(RetiredKeysTest, KeepTheirNewNamesValid) {
  EXPECT_FALSE(renamed_key("", "naming"));
  EXPECT_FALSE(renamed_key("restart", "max_delay"));
  EXPECT_FALSE(renamed_key("", "first"));
}

}  // namespace
}  // namespace fairlead::gateway::test::retired_keys_test
