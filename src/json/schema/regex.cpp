#include "json/schema/regex.hpp"

#include <fmt/format.h>

namespace fairlead::json::schema {

namespace {

/// Memory limit of RE2 per pattern in bytes, including its lazily built automaton.
constexpr std::int64_t max_memory = 4 << 20;
constexpr std::size_t max_length = 16 * 1024;

re2::RE2::Options quiet() {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_never_capture(true);
  options.set_max_mem(max_memory);
  return options;
}

}  // namespace

std::expected<std::shared_ptr<const re2::RE2>, PatternError> compile_pattern(std::string_view pattern) {
  if (pattern.size() > max_length) {
    return std::unexpected(PatternError{true, fmt::format("is longer than {} bytes", max_length)});
  }
  const auto syntax = re2_syntax(pattern);
  if (!syntax) return std::unexpected(syntax.error());
  auto compiled = std::make_shared<const re2::RE2>(*syntax, quiet());
  if (compiled->ok()) return compiled;
  using Code = re2::RE2::ErrorCode;
  if (compiled->error_code() == Code::ErrorPatternTooLarge || compiled->error_code() == Code::ErrorRepeatSize) {
    return std::unexpected(PatternError{true, "is too large: repeat at most 1000 times, and short things only"});
  }
  return std::unexpected(PatternError{false, compiled->error()});
}

bool matches(const re2::RE2& pattern, std::string_view text) {
  return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), pattern);
}

std::size_t search_cost(const re2::RE2& pattern, std::string_view text) {
  constexpr std::size_t instructions_per_step = 4096;
  return 1 + text.size() * static_cast<std::size_t>(pattern.ProgramSize()) / instructions_per_step;
}

}  // namespace fairlead::json::schema
