#pragma once

#include <fairlead/base/result.hpp>
#include <optional>
#include <string_view>
#include <vector>

/// The settings of the server. Members have the names of the file.
namespace fairlead::answer {

/// Model parameters of a tool. Absent members are taken from the profile of `answer`.
struct Profile {
  std::optional<std::string> model = {};
  std::optional<std::string> reasoning_effort = {};
  std::optional<std::string> verbosity = {};

  bool operator==(const Profile&) const = default;
};

/// Profiles by tool name.
struct Profiles {
  std::optional<Profile> answer = Profile{.model = "gpt-5.5", .reasoning_effort = "medium", .verbosity = "medium"};
  std::optional<Profile> answer_detailed = {};
  std::optional<Profile> answer_quick = {};
};

struct EndpointConfig {
  std::string api_key_env = "OPENAI_API_KEY";  ///< Environment variable that holds the key.
  std::string base_url = "https://api.openai.com/v1";
};

struct RequestConfig {
  std::int64_t timeout_ms = 300'000;  ///< For a question, including all attempts.
  std::int64_t max_retries = 3;
};

struct SystemPolicy {
  std::string source = "builtin";  ///< Or `file`.
  std::optional<std::string> path = {};
  std::string merge = "replace";  ///< How to combine with the built-in text; or `prepend`, `append`.
};

struct PolicyConfig {
  std::int64_t max_citations = 3;
  SystemPolicy system = {};
};

/// Defaults for arguments that a question does not set.
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

struct AnswerConfig {
  EndpointConfig openai = {};
  Profiles model_profiles = {};
  RequestConfig request = {};
  PolicyConfig policy = {};
  SearchConfig search = {};
  ServerConfig server = {};
  std::vector<std::string> tools = {"answer", "answer_detailed", "answer_quick"};  ///< `answer` is always included.
};

/// The profile of a tool with the defaults of `answer`.
Result<Profile> profile_for(const AnswerConfig& config, std::string_view tool);

}  // namespace fairlead::answer
