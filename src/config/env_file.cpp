#include "config/env_file.hpp"

#include <fmt/format.h>
#include <sstream>

namespace fairlead::config {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r";
  const auto begin = text.find_first_not_of(space);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(space) + 1 - begin);
}

std::string_view without_quotes(std::string_view text) {
  const bool quotes = text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  return quotes ? text.substr(1, text.size() - 2) : text;
}

}  // namespace

void read_env_file(ReadContext& context, const NodeRef& ref, const std::string& key_path,
                   std::map<std::string, std::string>& into) {
  const auto path = context.text(ref);
  if (!path) return;
  const auto file = context.beside(path->text);
  auto text = context.options().read_file ? context.options().read_file(file)
                                          : Result<std::string>(fail(ErrorKind::invalid, "files are not read here"));
  if (!text) return context.error(ref, fmt::format("{}: {}", file, text.error().message));
  context.record_source({ref.node, ref.path, key_path});
  std::istringstream lines(*text);
  std::size_t number = 0;
  for (std::string each; std::getline(lines, each);) {
    ++number;
    auto line = trimmed(each);
    if (line.empty() || line.front() == '#') continue;
    if (line.starts_with("export ")) line = trimmed(line.substr(7));
    const auto equals = line.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      context.error(ref, fmt::format("{}:{}: write NAME=value", file, number));
      continue;
    }
    const auto name = std::string(trimmed(line.substr(0, equals)));
    const bool added = into.emplace(name, without_quotes(trimmed(line.substr(equals + 1)))).second;
    if (added) context.record_source({ref.node, ref.path, below(key_path, name)});
  }
}

}  // namespace fairlead::config
