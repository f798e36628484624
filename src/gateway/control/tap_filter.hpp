#pragma once

#include <cstddef>
#include <fairlead/base/result.hpp>
#include <vector>

#include "gateway/control/tap_line.hpp"

namespace fairlead::gateway {

/// Filter of tap lines: `tool:search`, `status:error`, `-method:notifications/*`. All terms must match. Start and end
/// of sessions match only if a term names a `kind`.
class TapFilter {
 public:
  /// Errors are shown to the user and say what to write.
  static Result<TapFilter> read(const std::vector<std::string>& words);

  bool matches(const TapLine& line) const;

  /// True if calls can only be matched after their end; `may_match` ignores the terms that need it.
  bool waits_for_end() const;
  bool may_match(const TapLine& call) const;

 private:
  struct Term {
    std::size_t field = 0;
    std::string pattern = {};
    bool negated = false;

    bool holds(const TapLine& line) const;
    bool is_about_end() const;
  };

  bool wants_kind_of(const TapLine& line) const;
  static Result<Term> read_term(std::string_view word);

  std::vector<Term> terms_;
  bool names_kind_ = false;
};

}  // namespace fairlead::gateway
