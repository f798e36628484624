#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fairlead::transport {

/// Finds where a JSON object or array ends, in pieces of any size.
///
/// Knows as much grammar as it takes to notice soon that a text cannot become JSON any more; whether it truly is JSON
/// is for its reader to say.
class JsonExtent {
 public:
  enum class State : std::uint8_t { open, closed, broken };

  /// Walks on and returns how many bytes that took: all, unless the value ended. The byte that broke it is not taken.
  std::size_t walk(std::string_view bytes);

  State state() const { return state_; }
  void reset() { *this = {}; }

 private:
  enum class Expect : std::uint8_t { value, value_or_end, key, key_or_end, colon, comma_or_end };

  bool step(char c);
  bool string_begins();
  bool opens(char c);
  bool closes(char opener);
  bool comma();
  bool scalar();
  std::size_t walk_string(std::string_view bytes);

  std::string containers_;  // The opening bytes of those that are not closed yet.
  State state_ = State::open;
  Expect expect_ = Expect::value;
  bool in_string_ = false;
  bool escaped_ = false;
  bool in_scalar_ = false;
};

}  // namespace fairlead::transport
