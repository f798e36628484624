#pragma once

#include <cstdint>
#include <fairlead/base/result.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What the server is told by its file and its environment. Members are spelled as in the file.
namespace fairlead::answer {

/// How a tool asks. What a tool's own profile leaves out is as in that of `answer`.
struct Profile {
  std::optional<std::string> model = {};
  std::optional<std::string> reasoning_effort = {};
  std::optional<std::string> verbosity = {};

  bool operator==(const Profile&) const = default;
};

/// By the name of the tool.
struct Profiles {
  std::optional<Profile> answer = Profile{.model = "gpt-5.5", .reasoning_effort = "medium", .verbosity = "medium"};
  std::optional<Profile> answer_detailed = {};
  std::optional<Profile> answer_quick = {};
};

struct EndpointConfig {
  std::string api_key_env = "OPENAI_API_KEY";  ///< The key itself is in that variable and nowhere else.
  std::string base_url = "https://api.openai.com/v1";
};

struct RequestConfig {
  std::int64_t timeout_ms = 300'000;  ///< For a question, all its attempts included.
  std::int64_t max_retries = 3;
};

struct SystemPolicy {
  std::string source = "builtin";  ///< Or `file`.
  std::optional<std::string> path = {};
  std::string merge = "replace";  ///< What the file does to the built-in text; or `prepend`, `append`.
};

struct PolicyConfig {
  std::int64_t max_citations = 3;
  SystemPolicy system = {};
};

/// What a question means that does not say.
struct SearchDefaults {
  double recency_days = 60;
  double max_results = 5;
  std::vector<std::string> domains = {};
};

struct SearchConfig {
  SearchDefaults defaults = {};
};

struct ServerConfig {
  bool debug = false;
  std::optional<std::string> debug_file = {};
  bool show_config_on_start = false;
};

struct Config {
  EndpointConfig openai = {};
  Profiles model_profiles = {};
  RequestConfig request = {};
  PolicyConfig policy = {};
  SearchConfig search = {};
  ServerConfig server = {};
  std::vector<std::string> tools = {"answer", "answer_detailed", "answer_quick"};  ///< `answer` is there in any case.
};

/// The whole profile of a tool: its own, else that of `answer`.
Result<Profile> profile_for(const Config& config, std::string_view tool);

/// Whether requests could go there.
bool is_base_url(const std::string& text);

/// What no question could be asked with.
Result<void> check_config(const Config& config);

}  // namespace fairlead::answer
