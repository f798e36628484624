#include "config/diagnostics.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fairlead::config {
namespace {

// The first errors usually explain the others.
constexpr std::size_t max_diagnostics = 100;

bool is_at_or_below(std::string_view path, std::string_view top) {
  if (top.empty()) return true;
  return path.starts_with(top) && (path.size() == top.size() || path[top.size()] == '.' || path[top.size()] == '[');
}

}  // namespace

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

}  // namespace fairlead::config
