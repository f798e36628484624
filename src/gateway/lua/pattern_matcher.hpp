#pragma once

#include <array>
#include <lua.hpp>

#include "gateway/lua/pattern.hpp"

namespace fairlead::gateway::lua {

/// Backtracking pattern matcher. Each step counts as an instruction of the script; exhausting them raises a Lua error.
class Matcher {
 public:
  Matcher(lua_State* state, const Pattern& pattern, std::string_view text)
      : state_(state), pattern_(pattern), text_(text) {}

  /// Returns the end of a match that starts at `begin`, or null.
  const char* match(const char* begin);
  /// Pushes the captures, or the whole match if there are none. Returns their number.
  int push_captures(const char* begin, const char* end);
  /// Pushes one capture; 0 is the whole match, as is 1 without captures.
  void push_capture(std::size_t number, const char* begin, const char* end);
  std::size_t captures() const { return pattern_.captures(); }
  /// Charges the remaining steps.
  void flush_steps();

 private:
  struct Capture {
    const char* begin = nullptr;
    const char* end = nullptr;  // Null: the capture is a position.
  };
  using Item = Pattern::Item;

  const char* from(std::size_t item, const char* at);
  const char* rest(std::size_t item, const char* at);
  const char* repeated(std::size_t item, const char* at);
  const char* repeated_capture(const Capture& capture, const char* at);
  const char* balanced(const Item& item, const char* at);
  bool at_frontier(const Item& item, const char* at) const;
  bool fits(const Item& item, const char* at) const;
  const char* text_end() const { return text_.data() + text_.size(); }
  void step();

  lua_State* state_;
  const Pattern& pattern_;
  std::string_view text_;
  std::array<Capture, Pattern::max_captures> captures_{};
  std::uint64_t steps_ = 0;
  int depth_ = 0;
};

}  // namespace fairlead::gateway::lua
