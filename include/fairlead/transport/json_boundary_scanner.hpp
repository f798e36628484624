#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fairlead::transport {

/// Finds the end of a JSON object or array in pieces of any size.
///
/// Checks just enough grammar to detect early that a text cannot become JSON; the parser validates it.
class JsonBoundaryScanner {
 public:
  enum class ScanState : std::uint8_t { open, closed, broken };

  /// Scans on and returns the number of bytes consumed: all, unless the value ended. The byte that broke the value is
  /// not consumed.
  std::size_t walk(std::string_view bytes);

  ScanState state() const { return state_; }
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

  std::string containers_;  // Opening brackets of the containers that are still open.
  ScanState state_ = ScanState::open;
  Expect expect_ = Expect::value;
  bool in_string_ = false;
  bool escaped_ = false;
  bool in_scalar_ = false;
};

}  // namespace fairlead::transport
