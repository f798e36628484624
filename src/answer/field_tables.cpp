#include "answer/fields.hpp"
#include "answer/load_config.hpp"
#include "config/field_codec.hpp"
#include "http/url.hpp"

namespace fairlead::answer {
namespace {

constexpr int a_day_in_ms = 86'400'000;

using EffortCodec = config::OptionalCodec<config::WordCodec<"low", "medium", "high", "xhigh">>;
using VerbosityCodec = config::OptionalCodec<config::WordCodec<"low", "medium", "high">>;
using ToolCodec = config::WordCodec<"answer", "answer_detailed", "answer_quick">;

Result<std::string> read_variable_name(std::string_view text, std::string_view) {
  if (config::is_variable_name(text)) return std::string(text);
  // Does not quote the value: it may be the key itself.
  return fail(ErrorKind::invalid,
              "expected the name of an environment variable; put the key itself into that variable");
}

Result<std::string> read_base_url(std::string_view text, std::string_view) {
  const auto url = http::parse_url(text);
  if (url && url->scheme.starts_with("http")) return std::string(text);
  return fail(ErrorKind::invalid, "expected the URL of an API, such as https://<host>/v1");
}

/// A path relative to the folder of the configuration, or to the home directory with `~/`.
struct HomePathCodec : config::FieldCodec<std::string> {
  static void read(config::ReadContext& context, const config::NodeRef& ref, std::string& into) {
    config::read_scalar(context, ref, into, [&](std::string_view text, std::string_view) -> Result<std::string> {
      return context.beside(expanded_path(std::string(text), context.options().environment));
    });
  }
};

struct ToolsCodec : config::FieldCodec<std::vector<std::string>> {
  static void read(config::ReadContext& context, const config::NodeRef& ref, std::vector<std::string>& into) {
    FieldCodec::read(context, ref, into);
    for (std::size_t index = 0; index < ref.node.children.size(); ++index) {
      std::string ignored;
      ToolCodec::read(context, ref.item(index), ignored);
    }
  }
};

/// `debug` at the root is read by every command, see cli/log_options.cpp.
constexpr config::Field<AnswerConfig> ignored_debug{"debug",
                                                    [](config::ReadContext&, const config::NodeRef&, AnswerConfig&) {},
                                                    [](config::Printer&, std::string_view, const AnswerConfig&) {}};

}  // namespace
}  // namespace fairlead::answer

namespace fairlead::config {

template <>
const FieldList<answer::Profile> Fields<answer::Profile>::all{
    field<&answer::Profile::model>("model"),
    field<&answer::Profile::reasoning_effort, answer::EffortCodec>("reasoning_effort"),
    field<&answer::Profile::verbosity, answer::VerbosityCodec>("verbosity"),
};

template <>
const FieldList<answer::Profiles> Fields<answer::Profiles>::all{
    field<&answer::Profiles::answer>("answer"),
    field<&answer::Profiles::answer_detailed>("answer_detailed"),
    field<&answer::Profiles::answer_quick>("answer_quick"),
};

template <>
const FieldList<answer::EndpointConfig> Fields<answer::EndpointConfig>::all{
    field<&answer::EndpointConfig::api_key_env, ParsedCodec<&answer::read_variable_name>>("api_key_env"),
    field<&answer::EndpointConfig::base_url, ParsedCodec<&answer::read_base_url>>("base_url"),
};

template <>
const FieldList<answer::RequestConfig> Fields<answer::RequestConfig>::all{
    field<&answer::RequestConfig::timeout_ms, RangeCodec<1, answer::a_day_in_ms>>("timeout_ms"),
    field<&answer::RequestConfig::max_retries, RangeCodec<0, 10>>("max_retries"),
};

template <>
const FieldList<answer::SystemPolicy> Fields<answer::SystemPolicy>::all{
    field<&answer::SystemPolicy::source, WordCodec<"builtin", "file">>("source"),
    field<&answer::SystemPolicy::path, OptionalCodec<answer::HomePathCodec>>("path"),
    field<&answer::SystemPolicy::merge, WordCodec<"replace", "prepend", "append">>("merge"),
};

template <>
const FieldList<answer::PolicyConfig> Fields<answer::PolicyConfig>::all{
    field<&answer::PolicyConfig::max_citations, RangeCodec<1, 10>>("max_citations"),
    field<&answer::PolicyConfig::system>("system"),
};

template <>
const FieldList<answer::SearchDefaults> Fields<answer::SearchDefaults>::all{
    field<&answer::SearchDefaults::recency_days, RangeCodec<0, 1'000'000>>("recency_days"),
    field<&answer::SearchDefaults::max_results, RangeCodec<1, 10>>("max_results"),
    field<&answer::SearchDefaults::domains>("domains"),
};

template <>
const FieldList<answer::SearchConfig> Fields<answer::SearchConfig>::all{
    field<&answer::SearchConfig::defaults>("defaults")};

template <>
const FieldList<answer::ServerConfig> Fields<answer::ServerConfig>::all{
    field<&answer::ServerConfig::debug>("debug"),
    field<&answer::ServerConfig::debug_file>("debug_file"),
    field<&answer::ServerConfig::show_config_on_start>("show_config_on_start"),
};

template <>
const FieldList<answer::AnswerConfig> Fields<answer::AnswerConfig>::all{
    field<&answer::AnswerConfig::openai>("openai"),
    field<&answer::AnswerConfig::model_profiles>("model_profiles"),
    field<&answer::AnswerConfig::request>("request"),
    field<&answer::AnswerConfig::policy>("policy"),
    field<&answer::AnswerConfig::search>("search"),
    field<&answer::AnswerConfig::server>("server"),
    field<&answer::AnswerConfig::tools, answer::ToolsCodec>("tools"),
    answer::ignored_debug,
};

}  // namespace fairlead::config
