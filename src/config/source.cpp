#include "config/source.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fairlead::config {
namespace {

bool is_plain_in_path(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

std::string Source::location() const {
  if (!file.empty()) return line == 0 ? file : fmt::format("{}:{}", file, line);
  return column == 0 ? "command line" : fmt::format("command line, column {}", column);
}

std::string Source::text() const {
  if (variables.empty()) return location();
  return fmt::format("env {}, at {}", fmt::join(variables, ", "), location());
}

void Sources::forget(const std::string& path) {
  std::erase_if(sources_, [&](const auto& entry) {
    const auto rest = std::string_view(entry.first).substr(std::min(path.size(), entry.first.size()));
    return entry.first.starts_with(path) && (rest.empty() || rest.front() == '.' || rest.front() == '[');
  });
}

const Source* Sources::find(const std::string& path) const {
  const auto found = sources_.find(path);
  return found == sources_.end() ? nullptr : &found->second;
}

const Source* Sources::find_nearest(std::string path) const {
  for (;;) {
    if (const auto* found = find(path)) return found;
    const auto cut = path.find_last_of(".[");
    if (cut == std::string::npos) return nullptr;
    path.resize(cut);
  }
}

std::vector<std::string> Sources::variables() const {
  std::vector<std::string> names;
  for (const auto& [path, source] : sources_) {
    for (const auto& name : source.variables) {
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

std::string printable(std::string_view text) {
  std::string out(text);
  std::ranges::replace_if(out, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; }, ' ');
  return out;
}

std::string below(const std::string& path, std::string_view name) {
  if (name.empty() || !std::ranges::all_of(name, is_plain_in_path))
    return fmt::format("{}[\"{}\"]", path, printable(name));
  return path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
}

}  // namespace fairlead::config
