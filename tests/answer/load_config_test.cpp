#include "answer/load_config.hpp"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <unistd.h>

#include "answer/policy.hpp"

namespace fairlead::answer {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// A temporary folder and an environment of its own.
class AnswerConfigTest : public testing::Test {
 protected:
  AnswerConfigTest() { std::filesystem::create_directories(folder_); }
  ~AnswerConfigTest() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  Result<LoadedConfig> load_from(const std::string& yaml) {
    return load_config(write("config.yaml", yaml), environment());
  }
  config::Environment environment() const {
    return [this](const std::string& name) -> std::optional<std::string> {
      const auto found = variables_.find(name);
      return found == variables_.end() ? std::nullopt : std::optional(found->second);
    };
  }
  std::string error_for(const std::string& yaml) {
    const auto loaded = load_from(yaml);
    return loaded ? "" : loaded.error().message;
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("answer_config." + std::to_string(::getpid()));
  std::map<std::string, std::string> variables_ = {{"HOME", folder_}};
};

TEST_F(AnswerConfigTest, UsesDefaultsWithoutAFile) {
  const auto loaded = load_config(folder_ / "nowhere.yaml", environment());
  ASSERT_TRUE(loaded);
  const auto& config = loaded->config;
  EXPECT_EQ(config.openai.api_key_env, "OPENAI_API_KEY");
  EXPECT_EQ(config.openai.base_url, "https://api.openai.com/v1");
  EXPECT_EQ(config.model_profiles.answer,
            (Profile{.model = "gpt-5.5", .reasoning_effort = "medium", .verbosity = "medium"}));
  EXPECT_EQ(config.request.timeout_ms, 300'000);
  EXPECT_EQ(config.request.max_retries, 3);
  EXPECT_EQ(config.policy.max_citations, 3);
  EXPECT_EQ(config.search.defaults.recency_days, 60);
  EXPECT_EQ(config.search.defaults.max_results, 5);
  EXPECT_THAT(config.search.defaults.domains, IsEmpty());
  EXPECT_FALSE(loaded->file);
}

TEST_F(AnswerConfigTest, DefaultPathIsBelowHome) {
  EXPECT_EQ(default_config_path(environment()), (folder_ / ".config/openai-responses-mcp/config.yaml").string());
  variables_.clear();
  EXPECT_EQ(default_config_path(environment()), "");
  EXPECT_TRUE(load_config("", environment()));
}

TEST_F(AnswerConfigTest, FileOverridesDefaultsAndEnvironmentOverridesTheFile) {
  variables_.insert({{"MODEL_ANSWER", "o3"}, {"OPENAI_MAX_RETRIES", "0"}});
  const auto loaded = load_from(
      "model_profiles: {answer: {model: gpt-5, verbosity: high}}\nrequest: {max_retries: 7}\n"
      "search: {defaults: {domains: [a.example, b.example]}}\n");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->config.model_profiles.answer,
            (Profile{.model = "o3", .reasoning_effort = "medium", .verbosity = "high"}));
  EXPECT_EQ(loaded->config.request.max_retries, 0);
  EXPECT_EQ(loaded->config.request.timeout_ms, 300'000);
  EXPECT_THAT(loaded->config.search.defaults.domains, ElementsAre("a.example", "b.example"));
  EXPECT_THAT(loaded->sources.variables(), ElementsAre("MODEL_ANSWER", "OPENAI_MAX_RETRIES"));
  EXPECT_EQ(loaded->file, folder_ / "config.yaml");
}

TEST_F(AnswerConfigTest, ReadsEveryEnvironmentVariable) {
  variables_.insert({{"OPENAI_BASE_URL", "http://127.0.0.1:1/v1"},
                     {"ANSWER_EFFORT", "xhigh"},
                     {"ANSWER_VERBOSITY", "low"},
                     {"OPENAI_API_TIMEOUT", "5000"},
                     {"SEARCH_MAX_RESULTS", "9"},
                     {"SEARCH_RECENCY_DAYS", "0"},
                     {"MAX_CITATIONS", "10"}});
  const auto config = load_config("", environment())->config;
  EXPECT_EQ(config.openai.base_url, "http://127.0.0.1:1/v1");
  EXPECT_EQ(config.model_profiles.answer->reasoning_effort, "xhigh");
  EXPECT_EQ(config.model_profiles.answer->verbosity, "low");
  EXPECT_EQ(config.request.timeout_ms, 5000);
  EXPECT_EQ(config.search.defaults.max_results, 9);
  EXPECT_EQ(config.search.defaults.recency_days, 0);
  EXPECT_EQ(config.policy.max_citations, 10);
}

TEST_F(AnswerConfigTest, IgnoresAnInvalidVariableWithAWarning) {
  variables_.insert({{"ANSWER_EFFORT", "much"},
                     {"OPENAI_API_TIMEOUT", "0"},
                     {"OPENAI_MAX_RETRIES", "11"},
                     {"SEARCH_MAX_RESULTS", "5x"},
                     {"MAX_CITATIONS", "-1"},
                     {"OPENAI_BASE_URL", "nowhere"}});
  const auto loaded = load_config("", environment());
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->config.request.max_retries, 3);
  EXPECT_THAT(loaded->sources.variables(), IsEmpty());
  EXPECT_THAT(loaded->warnings, testing::SizeIs(6));
  EXPECT_THAT(loaded->warnings,
              testing::Contains("variable OPENAI_MAX_RETRIES: request.max_retries: expected a number from 0 to 10, got "
                                "'${OPENAI_MAX_RETRIES}'; the variable is ignored"));
}

TEST_F(AnswerConfigTest, EmptySectionKeepsTheDefaults) {
  const auto loaded = load_from("search:\nrequest:\nmodel_profiles:\n  answer_quick: {model: gpt-5-nano}\n");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->config.request.max_retries, 3);
}

TEST_F(AnswerConfigTest, RejectsInvalidSettings) {
  EXPECT_THAT(
      error_for("model_profiles: {answer: {reasoning_effort: extreme}}\n"),
      HasSubstr("model_profiles.answer.reasoning_effort: expected one of low, medium, high, xhigh, got 'extreme'"));
  EXPECT_THAT(error_for("policy: {prefer_search_when_unsure: true}\n"), HasSubstr("prefer_search_when_unsure"));
  EXPECT_THAT(error_for("policy: {require_dates_iso: true}\n"), HasSubstr("require_dates_iso"));
  EXPECT_THAT(error_for("server: {transport: stdio}\n"), HasSubstr("server.transport"));
  EXPECT_THAT(error_for("request: {max_retries: 11}\n"),
              HasSubstr("config.yaml:1: request.max_retries: expected a number from 0 to 10, got '11'"));
  EXPECT_THAT(error_for("request: {timeout_ms: soon}\n"), HasSubstr("request.timeout_ms"));
  EXPECT_THAT(error_for("openai: {base_url: nowhere}\n"), HasSubstr("openai.base_url"));
  EXPECT_THAT(error_for("tools: [answer, guess]\n"), HasSubstr("got 'guess'"));
  EXPECT_THAT(error_for("policy: {system: {merge: mix}}\n"), HasSubstr("policy.system.merge"));
  EXPECT_THAT(error_for("- a\n"), HasSubstr("expected a map"));
  EXPECT_THAT(error_for("a: [\n"), HasSubstr("is not valid YAML"));
}

TEST_F(AnswerConfigTest, RejectsAKeyInTheFileWithoutPrintingIt) {
  for (const auto* yaml :
       {"openai: {api_key: sk-planted-0123456789}\n", "openai: {api_key_env: sk-planted-0123456789}\n"}) {
    EXPECT_THAT(error_for(yaml), testing::AllOf(HasSubstr("openai.api_key"), Not(HasSubstr("planted")))) << yaml;
  }
}

TEST_F(AnswerConfigTest, RejectsAVariableThatHoldsTheKey) {
  variables_.insert({{"MY_KEY", "sk-planted-0123456789"}, {"MODEL", "o3"}});
  EXPECT_THAT(
      error_for("openai: {api_key_env: MY_KEY}\nmodel_profiles: {answer: {model: '${MY_KEY}'}}\n"),
      testing::AllOf(HasSubstr("config.yaml: contains ${MY_KEY}, which is the API key"), Not(HasSubstr("planted"))));
  EXPECT_EQ(load_from("model_profiles: {answer: {model: '${MODEL}'}}\n")->config.model_profiles.answer->model, "o3");
}

TEST_F(AnswerConfigTest, ReportsEveryErrorWithItsLine) {
  const auto errors = error_for("request:\n  max_retries: 11\n  timeout_ms: soon\n");
  EXPECT_THAT(errors, HasSubstr("config.yaml:2: request.max_retries: expected a number from 0 to 10, got '11'\n"));
  EXPECT_THAT(errors, HasSubstr("config.yaml:3: request.timeout_ms: expected a number from 1 to 86400000, got 'soon'"));
}

TEST_F(AnswerConfigTest, ReadsJsonAndToml) {
  const auto json =
      load_config(write("a.json", R"({"request": {"max_retries": 7}, /* more */ "tools": ["answer"]})"), environment());
  const auto toml = load_config(write("a.toml", "tools = ['answer']\n[request]\nmax_retries = 7\n"), environment());
  for (const auto* loaded : {&json, &toml}) {
    ASSERT_TRUE(*loaded) << loaded->error().message;
    EXPECT_EQ((*loaded)->config.request.max_retries, 7);
    EXPECT_THAT((*loaded)->config.tools, ElementsAre("answer"));
  }
}

TEST_F(AnswerConfigTest, RecordsTheSourceOfEachValue) {
  variables_.insert({"MAX_CITATIONS", "4"});
  const auto loaded = load_from("request:\n  max_retries: 1\npolicy: {max_citations: 2}\n");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_THAT(loaded->sources.find("request.max_retries")->text(), testing::EndsWith("config.yaml:2"));
  EXPECT_EQ(loaded->sources.find("policy.max_citations")->variables, std::vector<std::string>{"MAX_CITATIONS"});
  EXPECT_EQ(loaded->sources.find("request.timeout_ms"), nullptr);
}

TEST_F(AnswerConfigTest, WarnsOfUnknownKeysWithASuggestion) {
  const auto loaded = load_from("request: {timeout_mss: 5}\nserver: {debug_file: x}\ndebug: true\n");
  ASSERT_TRUE(loaded);
  EXPECT_THAT(loaded->warnings, ElementsAre(HasSubstr("config.yaml:1: request.timeout_mss: unknown key, which is "
                                                      "ignored; did you mean timeout_ms?")));
}

TEST_F(AnswerConfigTest, ToolProfileInheritsFromAnswer) {
  const auto config =
      load_from("model_profiles:\n  answer: {model: gpt-5}\n  answer_detailed: {reasoning_effort: high}\n")->config;
  EXPECT_EQ(*profile_for(config, "answer_quick"), *profile_for(config, "answer"));
  EXPECT_EQ(*profile_for(config, "answer_detailed"),
            (Profile{.model = "gpt-5", .reasoning_effort = "high", .verbosity = "medium"}));
}

TEST_F(AnswerConfigTest, NamesTheMissingProfile) {
  const auto config = load_from("model_profiles: {answer: null}\n")->config;
  EXPECT_EQ(profile_for(config, "answer").error().message, "model_profiles.answer is required");
  EXPECT_EQ(profile_for(config, "answer_quick").error().message, "model_profiles.answer_quick is required");
}

TEST_F(AnswerConfigTest, ShowConfigPrintsSourcesAndEffectiveValues) {
  variables_.insert({{"MAX_CITATIONS", "4"}, {"OPENAI_BASE_URL", "https://me:hidden-word@proxy.example/v1"}});
  auto loaded = load_from("request: {max_retries: 1}\n");
  loaded->options = {"--debug"};
  const auto shown = show_config(*loaded, "1.2.3");
  for (const auto* part : {R"("version": "1.2.3")", R"("env": ["OPENAI_BASE_URL","MAX_CITATIONS"])",
                           R"("cli": ["--debug"])", R"("ts_defaults": true)", R"("max_retries": 1)",
                           R"("max_citations": 4)", R"("api_key_env": "OPENAI_API_KEY")"}) {
    EXPECT_THAT(shown, HasSubstr(part));
  }
  EXPECT_THAT(shown, HasSubstr("\"yaml\": \"" + (folder_ / "config.yaml").string()));
  EXPECT_THAT(shown, Not(HasSubstr("hidden-word")));
}

TEST_F(AnswerConfigTest, PolicyFileReplacesOrExtendsTheBuiltinText) {
  std::vector<std::string> warnings;
  EXPECT_EQ(system_policy({}, warnings), builtin_policy());
  EXPECT_THAT(std::string(builtin_policy()), HasSubstr(std::string(policy_revision)));
  write("mine.md", "Be kind.");
  const auto with = [&](const std::string& merge) {
    const auto loaded = load_from("policy: {system: {source: file, path: mine.md, merge: " + merge + "}}\n");
    return system_policy(loaded->config.policy.system, warnings);
  };
  EXPECT_EQ(with("replace"), "Be kind.");
  EXPECT_EQ(with("prepend"), "Be kind.\n\n" + std::string(builtin_policy()));
  EXPECT_EQ(with("append"), std::string(builtin_policy()) + "\n\nBe kind.");
  EXPECT_THAT(warnings, IsEmpty());
}

TEST_F(AnswerConfigTest, ExpandsTildeInThePolicyPath) {
  const auto loaded = load_from("policy: {system: {source: file, path: ~/mine.md}}\n");
  EXPECT_EQ(loaded->config.policy.system.path, folder_ / "mine.md");
}

TEST_F(AnswerConfigTest, UnreadablePolicyFileIsAWarning) {
  std::vector<std::string> warnings;
  EXPECT_EQ(system_policy({.source = "file", .path = folder_ / "gone.md"}, warnings), builtin_policy());
  EXPECT_EQ(system_policy({.source = "file", .path = folder_}, warnings), builtin_policy());
  EXPECT_EQ(system_policy({.source = "file"}, warnings), builtin_policy());
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("gone.md cannot be read"), HasSubstr("cannot be read"),
                                    HasSubstr("path is missing")));
}

TEST_F(AnswerConfigTest, DocumentationListsEverySettingWithItsDefault) {
  std::ifstream file(FAIRLEAD_SOURCE_DIR "/docs/answer.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const std::string fence = "```yaml\n";
  const auto begin = page.find(fence) + fence.size();
  auto shown = load_from(page.substr(begin, page.find("```", begin) - begin));
  ASSERT_TRUE(shown) << shown.error().message;
  EXPECT_THAT(shown->warnings, IsEmpty());
  shown->sources = {};
  shown->file = {};
  EXPECT_EQ(show_config(*shown, ""), show_config({}, ""));
}

}  // namespace
}  // namespace fairlead::answer
