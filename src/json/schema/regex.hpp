#pragma once

#include <expected>
#include <memory>
#include <re2/re2.h>
#include <string>
#include <string_view>

namespace fairlead::json::schema {

struct PatternError {
  bool unsupported = false;  ///< Valid ECMA-262 that a linear-time matcher cannot run.
  std::string reason;
};

/// Translates an ECMA-262 pattern (`u` flag, plus Annex B's leniency for escaped punctuation) to RE2 syntax.
std::expected<std::string, PatternError> re2_syntax(std::string_view pattern);

/// Compiles a pattern for matches(), which searches anywhere in the text.
std::expected<std::shared_ptr<const re2::RE2>, PatternError> compile_pattern(std::string_view pattern);

bool matches(const re2::RE2& pattern, std::string_view text);

/// Steps of the work budget for one search: a pattern too large for RE2's automaton costs its full size per byte.
std::size_t search_cost(const re2::RE2& pattern, std::string_view text);

}  // namespace fairlead::json::schema
