#pragma once

#include <expected>
#include <memory>
#include <re2/re2.h>
#include <string>
#include <string_view>

namespace fairlead::json::schema {

struct PatternError {
  bool unsupported = false;  ///< Good ECMA-262, but out of reach of a matcher that takes linear time.
  std::string reason;
};

/// An ECMA-262 pattern (with the `u` flag, and Annex B's leniency towards escaped punctuation) as RE2 writes it.
std::expected<std::string, PatternError> re2_syntax(std::string_view pattern);

/// Ready to search with; matches anywhere in the text.
std::expected<std::shared_ptr<const re2::RE2>, PatternError> compile_pattern(std::string_view pattern);

bool matches(const re2::RE2& pattern, std::string_view text);

/// Steps of the work budget for one search: a large pattern that outgrows its automaton walks all of itself per byte.
std::size_t search_cost(const re2::RE2& pattern, std::string_view text);

}  // namespace fairlead::json::schema
