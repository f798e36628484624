#pragma once

#include <cstddef>
#include <fairlead/base/result.hpp>
#include <string>
#include <vector>

#include "gateway/control/tap_line.hpp"

namespace fairlead::gateway {

/// Which lines somebody wants to see: `tool:search`, `status:error`, `-method:notifications/*`. All of them must hold.
/// That conversations begin and end, many of them with a single call, is for those who ask for a `kind`.
class TapFilter {
 public:
  /// An error is the user's: it says what to write instead.
  static Result<TapFilter> read(const std::vector<std::string>& words);

  bool matches(const TapLine& line) const;

  /// Whether a call can only be judged once it has ended, and the same judgement but for that.
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
  bool asks_for_kind_ = false;
};

}  // namespace fairlead::gateway
