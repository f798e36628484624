#pragma once

#include <string>
#include <string_view>

namespace fairlead::json {

enum class Kind : unsigned char { null, boolean, number, string, array, object };

/// "a string", "an object", for error messages.
std::string_view kind_phrase(Kind kind);

/// Pull parser for valid JSON text (see `scan`): one token at a time, forward only.
///
/// Copies are cheap and independent: copy a reader to look ahead.
class Reader {
 public:
  explicit Reader(std::string_view valid_text) : rest_(valid_text) { skip_space(); }

  Kind kind() const {
    switch (rest_.front()) {
      case '"': return Kind::string;
      case '{': return Kind::object;
      case '[': return Kind::array;
      case 't':
      case 'f': return Kind::boolean;
      case 'n': return Kind::null;
      default: return Kind::number;
    }
  }

  bool boolean();
  void null() { advance(4); }

  /// The number's text.
  std::string_view number();

  /// Appends the unescaped string.
  void string(std::string& out);

  /// The unescaped string: a view into the JSON text if it has no escapes, otherwise into `scratch`.
  std::string_view text(std::string& scratch);

  /// True if a closing bracket is next.
  bool at_end() const { return rest_.front() == '}' || rest_.front() == ']'; }

  /// Enters the next array or object. Then call more() before each element, and key() before each member's value.
  void open() { advance(1); }
  bool more() {
    const char mark = rest_.front();
    const bool ends = mark == '}' || mark == ']';
    if (ends || mark == ',') advance(1);
    return !ends;
  }

  /// The member's name, unescaped; valid until the next call.
  std::string_view key();

  /// Skips one value and returns its text.
  std::string_view skip();
  /// Skips one value; faster if it equals `likely_object`.
  std::string_view skip(std::string_view likely_object);

 private:
  void advance(std::size_t count) {
    rest_.remove_prefix(count);
    skip_space();
  }
  // In valid text, all bytes up to the blank are white space.
  void skip_space() {
    while (!rest_.empty() && static_cast<unsigned char>(rest_.front()) <= ' ') rest_.remove_prefix(1);
  }
  std::string_view string_inside();

  std::string_view rest_;
  std::string name_;
};

}  // namespace fairlead::json
