#include "gateway/middleware/program_arguments.hpp"

#include <algorithm>
#include <fairlead/json/reader.hpp>
#include <fairlead/json/writer.hpp>
#include <fmt/format.h>

#include "base/ascii.hpp"

namespace fairlead::gateway {
namespace {

constexpr std::size_t max_options = 200;

bool is_option_letter(char c) {
  return ascii::is_alphanumeric(c) || c == '-' || c == '_';
}

std::string scalar_word(json::Reader& reader) {
  std::string word;
  if (reader.kind() == json::Kind::string) {
    reader.string(word);
    return word;
  }
  return std::string(reader.skip());
}

bool is_scalar_kind(json::Kind kind) {
  return kind == json::Kind::string || kind == json::Kind::number || kind == json::Kind::boolean;
}

std::unexpected<Error> no_word(std::string_view name) {
  return fail(ErrorKind::invalid, fmt::format("{}: expected a string, a number, a boolean, or a list of those", name));
}

// Adds the arguments of one JSON member.
Result<void> add_words(std::vector<std::string>& words, const std::string& name, json::Reader& reader) {
  const auto flag = (name.size() == 1 ? "-" : "--") + name;
  const auto kind = reader.kind();
  if (kind == json::Kind::null) return reader.null(), Result<void>();
  if (kind == json::Kind::boolean) {
    if (reader.boolean()) words.push_back(flag);
    return {};
  }
  if (is_scalar_kind(kind)) {
    words.push_back(flag);
    words.push_back(scalar_word(reader));
    return {};
  }
  if (kind != json::Kind::array) return no_word(name);
  for (reader.open(); reader.more();) {
    if (!is_scalar_kind(reader.kind())) return no_word(name);
    words.push_back(flag);
    words.push_back(scalar_word(reader));
  }
  return {};
}

Result<std::vector<std::string>> plain_words(json::Reader& reader) {
  std::vector<std::string> words;
  if (reader.kind() != json::Kind::array) return no_word("_args");
  for (reader.open(); reader.more();) {
    if (!is_scalar_kind(reader.kind())) return no_word("_args");
    words.push_back(scalar_word(reader));
  }
  return words;
}

}  // namespace

std::vector<std::string> long_options(std::string_view help) {
  std::vector<std::string> all;
  for (auto at = help.find("--"); at != help.npos && all.size() < max_options; at = help.find("--", at)) {
    const bool begins = at == 0 || std::string_view(" \t\n,[(|/").find(help[at - 1]) != std::string_view::npos;
    at += 2;
    const auto rest = help.substr(at);
    const auto* end = std::ranges::find_if_not(rest, is_option_letter);
    auto name = std::string(rest.begin(), end);
    while (name.ends_with('-')) name.pop_back();
    const bool is_name = begins && !name.empty() && name.front() != '-' && name != "help" && name != "version";
    if (is_name && std::ranges::find(all, name) == all.end()) all.push_back(std::move(name));
  }
  return all;
}

std::string first_sentence(std::string_view help) {
  while (!help.empty()) {
    const auto end = std::min(help.find('\n'), help.size());
    auto line = help.substr(0, end);
    help.remove_prefix(std::min(end + 1, help.size()));
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    const bool is_usage = line.starts_with("usage") || line.starts_with("Usage") || line.starts_with("USAGE") ||
                          line.starts_with("or:") || line.starts_with('-') || line.starts_with('[');
    if (line.size() >= 8 && !is_usage) return std::string(line);
  }
  return {};
}

std::string tool_of_command(std::string_view tool, std::string_view program, std::string_view help) {
  auto description = first_sentence(help);
  if (description.empty()) description = fmt::format("Runs the program {}.", program);
  std::string properties;
  {
    json::ObjectWriter all(properties);
    for (const auto& option : long_options(help)) all.raw(option, R"({"type":["string","boolean","array"]})");
    all.raw("_args", R"({"type":"array","items":{"type":"string"},"description":"Arguments without a name"})");
  }
  std::string text;
  json::ObjectWriter(text)
      .text("name", tool)
      .text("description", description)
      .raw("inputSchema", R"({"type":"object","properties":)" + properties + "}");
  return text;
}

Result<std::vector<std::string>> command_arguments(std::string_view arguments) {
  std::vector<std::string> words, plain;
  if (arguments.empty()) return words;
  json::Reader reader(arguments);
  if (reader.kind() != json::Kind::object) return fail(ErrorKind::invalid, "arguments: give an object");
  for (reader.open(); reader.more();) {
    const std::string name(reader.key());
    if (name == "_args") {
      auto read = plain_words(reader);
      if (!read) return read;
      plain = std::move(*read);
      continue;
    }
    if (name.starts_with('_')) {
      reader.skip();
      continue;
    }
    // Only valid option names are passed on.
    if (name.empty() || name.front() == '-' || !std::ranges::all_of(name, is_option_letter)) {
      return fail(ErrorKind::invalid, fmt::format("'{}' is not a valid option name", name));
    }
    if (auto added = add_words(words, name, reader); !added) return std::unexpected(added.error());
  }
  words.insert(words.end(), plain.begin(), plain.end());
  const auto holds_null = [](const auto& word) { return word.find('\0') != std::string::npos; };
  if (std::ranges::any_of(words, holds_null)) return fail(ErrorKind::invalid, "an argument contains a zero byte");
  return words;
}

std::string output_text(const ProcessOutput& output) {
  std::string text;
  if (!output.out.empty()) text += "STDOUT:\n" + output.out;
  if (!output.errors.empty()) text += (text.empty() ? "" : "\n") + ("STDERR:\n" + output.errors);
  if (output.status.signalled) text += (text.empty() ? "" : "\n") + ("The program " + output.status.text());
  if (!output.status.signalled && output.status.code != 0) {
    text += fmt::format("{}Exit code: {}", text.empty() ? "" : "\n", output.status.code);
  }
  return text.empty() ? "The command completed with no output" : text;
}

}  // namespace fairlead::gateway
