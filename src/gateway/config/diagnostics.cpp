#include "gateway/config/diagnostics.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fairlead::gateway {
namespace {

// The first errors usually explain the others.
constexpr std::size_t max_diagnostics = 100;

bool is_plain_in_path(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::string printable(std::string_view text) {
  std::string out(text);
  std::ranges::replace_if(out, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; }, ' ');
  return out;
}

bool is_at_or_below(std::string_view path, std::string_view top) {
  if (top.empty()) return true;
  return path.starts_with(top) && (path.size() == top.size() || path[top.size()] == '.' || path[top.size()] == '[');
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

std::string below(const std::string& path, std::string_view name) {
  if (name.empty() || !std::ranges::all_of(name, is_plain_in_path))
    return fmt::format("{}[\"{}\"]", path, printable(name));
  return path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
}

std::string Diagnostics::line(const Source& at, std::string_view path, std::string_view message) const {
  const auto where = path.empty() ? at.location() : fmt::format("{}: {}", at.location(), path);
  return fmt::format("{}: {}", where, redactor_.redact(printable(message)));
}

void Diagnostics::add(const Source& at, std::string_view path, std::string_view message) {
  auto text = line(at, path, message);
  const bool known = std::ranges::find(diagnostics_, text) != diagnostics_.end();
  if (!known && diagnostics_.size() < max_diagnostics) diagnostics_.push_back(std::move(text));
}

bool Diagnostics::is_invalid(std::string_view path) const {
  return std::ranges::any_of(invalid_paths_, [&](const std::string& each) {
    return is_at_or_below(each, path) || is_at_or_below(path, each);
  });
}

void Diagnostics::warn(const Source& at, std::string_view path, std::string_view message) {
  if (warnings_.size() < max_diagnostics) warnings_.push_back(line(at, path, message));
}

Error Diagnostics::error() const {
  return {.kind = ErrorKind::invalid, .message = fmt::format("{}", fmt::join(diagnostics_, "\n"))};
}

std::string value_in_quotes(std::string_view value) {
  constexpr std::size_t longest = 60;
  if (value.size() <= longest) return fmt::format("'{}'", value);
  auto end = longest;
  while (end > 0 && (static_cast<unsigned char>(value[end]) & 0xC0U) == 0x80U) --end;
  return fmt::format("'{}…'", value.substr(0, end));
}

}  // namespace fairlead::gateway
