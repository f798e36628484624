#include <array>

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

struct VariableNameCodec : config::FieldCodec<std::string> {
  static void read(config::ReadContext& context, const config::NodeRef& ref, std::string& into) {
    config::read_scalar(context, ref, into, [](std::string_view text, std::string_view) -> Result<std::string> {
      if (config::is_variable_name(text)) return std::string(text);
      // Does not quote the value: it may be the key itself.
      return fail(ErrorKind::invalid,
                  "expected the name of an environment variable; put the key itself into that variable");
    });
  }
};

struct BaseUrlCodec : config::FieldCodec<std::string> {
  static void read(config::ReadContext& context, const config::NodeRef& ref, std::string& into) {
    config::read_scalar(context, ref, into, [](std::string_view text, std::string_view) -> Result<std::string> {
      const auto url = http::parse_url(text);
      if (url && url->scheme.starts_with("http")) return std::string(text);
      return fail(ErrorKind::invalid, "expected the URL of an API, such as https://<host>/v1");
    });
  }
};

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
std::span<const Field<answer::Profile>> fields() {
  using T = answer::Profile;
  static constexpr auto table = std::to_array<Field<T>>({
      field<&T::model>("model"),
      field<&T::reasoning_effort, answer::EffortCodec>("reasoning_effort"),
      field<&T::verbosity, answer::VerbosityCodec>("verbosity"),
  });
  return table;
}

template <>
std::span<const Field<answer::Profiles>> fields() {
  using T = answer::Profiles;
  static constexpr auto table = std::to_array<Field<T>>({
      field<&T::answer>("answer"),
      field<&T::answer_detailed>("answer_detailed"),
      field<&T::answer_quick>("answer_quick"),
  });
  return table;
}

template <>
std::span<const Field<answer::EndpointConfig>> fields() {
  using T = answer::EndpointConfig;
  static constexpr auto table = std::to_array<Field<T>>({
      field<&T::api_key_env, answer::VariableNameCodec>("api_key_env"),
      field<&T::base_url, answer::BaseUrlCodec>("base_url"),
  });
  return table;
}

template <>
std::span<const Field<answer::RequestConfig>> fields() {
  using T = answer::RequestConfig;
  static constexpr auto table = std::to_array<Field<T>>({
      field<&T::timeout_ms, RangeCodec<1, answer::a_day_in_ms>>("timeout_ms"),
      field<&T::max_retries, RangeCodec<0, 10>>("max_retries"),
  });
  return table;
}

template <>
std::span<const Field<answer::SystemPolicy>> fields() {
  using T = answer::SystemPolicy;
  static constexpr auto table = std::to_array<Field<T>>({
      field<&T::source, WordCodec<"builtin", "file">>("source"),
      field<&T::path, OptionalCodec<answer::HomePathCodec>>("path"),
      field<&T::merge, WordCodec<"replace", "prepend", "append">>("merge"),
  });
  return table;
}

template <>
std::span<const Field<answer::PolicyConfig>> fields() {
  using T = answer::PolicyConfig;
  static constexpr auto table = std::to_array<Field<T>>({
      field<&T::max_citations, RangeCodec<1, 10>>("max_citations"),
      field<&T::system>("system"),
  });
  return table;
}

template <>
std::span<const Field<answer::SearchDefaults>> fields() {
  using T = answer::SearchDefaults;
  static constexpr auto table = std::to_array<Field<T>>({
      field<&T::recency_days, RangeCodec<0, 1'000'000>>("recency_days"),
      field<&T::max_results, RangeCodec<1, 10>>("max_results"),
      field<&T::domains>("domains"),
  });
  return table;
}

template <>
std::span<const Field<answer::SearchConfig>> fields() {
  using T = answer::SearchConfig;
  static constexpr auto table = std::to_array<Field<T>>({field<&T::defaults>("defaults")});
  return table;
}

template <>
std::span<const Field<answer::ServerConfig>> fields() {
  using T = answer::ServerConfig;
  static constexpr auto table = std::to_array<Field<T>>({
      field<&T::debug>("debug"),
      field<&T::debug_file>("debug_file"),
      field<&T::show_config_on_start>("show_config_on_start"),
  });
  return table;
}

template <>
std::span<const Field<answer::AnswerConfig>> fields() {
  using T = answer::AnswerConfig;
  static constexpr auto table = std::to_array<Field<T>>({
      field<&T::openai>("openai"),
      field<&T::model_profiles>("model_profiles"),
      field<&T::request>("request"),
      field<&T::policy>("policy"),
      field<&T::search>("search"),
      field<&T::server>("server"),
      field<&T::tools, answer::ToolsCodec>("tools"),
      answer::ignored_debug,
  });
  return table;
}

}  // namespace fairlead::config
