#include "answer/request.hpp"

#include <fairlead/json/writer.hpp>
#include <fmt/format.h>

namespace fairlead::answer {
namespace {

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

std::string in_digits(double number) {
  std::string out;
  json::write_number(out, number);
  return out.ends_with(".0") ? out.substr(0, out.size() - 2) : out;
}

std::string_view style_hint(std::string_view style) {
  if (style == "bullets") return "answer as a list of short bullet points.";
  if (style == "citations-only") return "give the sources only, one per line, without an answer in words.";
  return "answer with a short summary.";
}

/// The parameters that a model supports are derived from its name.
bool supports_reasoning(std::string_view model) {
  return model.starts_with("gpt-5") || model.starts_with("o3") || model.starts_with("o4");
}

bool supports_verbosity(std::string_view model) {
  return model.starts_with("gpt-5");
}

std::string object_of(std::string_view name, std::string_view text) {
  std::string out;
  json::ObjectWriter(out).text(name, text);
  return out;
}

std::string message_of(std::string_view text) {
  std::string part;
  json::ObjectWriter(part).text("type", "input_text").text("text", text);
  std::string message;
  json::ObjectWriter(message).text("role", "user").raw("content", "[" + part + "]");
  return message;
}

}  // namespace

Result<void> check_arguments(const AnswerArguments& arguments) {
  if (is_blank(arguments.query)) return fail(ErrorKind::invalid, "query is required");
  if (arguments.recency_days.value_or(0) < 0) return fail(ErrorKind::invalid, "recency_days must be 0 or more");
  if (arguments.max_results.value_or(1) < 1) return fail(ErrorKind::invalid, "max_results must be 1 or more");
  return {};
}

std::string user_text(const AnswerArguments& arguments, const SearchDefaults& defaults) {
  auto text = fmt::format("{}\n[Hints] recency_days={}, max_results={}.", arguments.query,
                          in_digits(arguments.recency_days.value_or(defaults.recency_days)),
                          in_digits(arguments.max_results.value_or(defaults.max_results)));
  const auto& domains = arguments.domains ? *arguments.domains : defaults.domains;
  if (!domains.empty()) text += fmt::format(" domains: {}", fmt::join(domains, ", "));
  if (arguments.style) text += fmt::format("\n[Style] {}: {}", *arguments.style, style_hint(*arguments.style));
  return text;
}

std::string request_body(const Profile& profile, std::string_view instructions, std::string_view text) {
  const auto model = profile.model.value_or("");
  std::string body;
  {
    json::ObjectWriter object(body);
    object.text("model", model).text("instructions", instructions);
    object.raw("input", "[" + message_of(text) + "]");
    object.raw("tools", R"([{"type":"web_search"}])").raw("include", R"(["web_search_call.action.sources"])");
    if (profile.verbosity && supports_verbosity(model)) object.raw("text", object_of("verbosity", *profile.verbosity));
    if (profile.reasoning_effort && supports_reasoning(model)) {
      object.raw("reasoning", object_of("effort", *profile.reasoning_effort));
    }
  }
  return body;
}

}  // namespace fairlead::answer
