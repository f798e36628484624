#pragma once

#include <string>
#include <string_view>

namespace fairlead::json {

enum class Kind : unsigned char { null, boolean, number, string, array, object };

/// "a string", "an object": for messages.
std::string_view article(Kind kind);

/// Walks a JSON text that is known to be valid (see `scan`), one token at a time, forward only.
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

  /// The number as it is written.
  std::string_view number();

  /// Appends the string without its escapes.
  void string(std::string& out);

  /// The string without its escapes: a part of the JSON text if it has none, else kept in `scratch`.
  std::string_view text(std::string& scratch);

  /// Whether a closing bracket is next.
  bool at_end() const { return rest_.front() == '}' || rest_.front() == ']'; }

  /// Steps into the array or object ahead; then `more` before each element, and `key` before each member's value.
  void open() { advance(1); }
  bool more() {
    const char mark = rest_.front();
    const bool ends = mark == '}' || mark == ']';
    if (ends || mark == ',') advance(1);
    return !ends;
  }

  /// The member's name, unescaped; valid until the next call.
  std::string_view key();

  /// Passes over one value of any kind and returns its text.
  std::string_view skip();
  /// The same, quicker where it is likely to be this object.
  std::string_view skip(std::string_view likely_object);

 private:
  void advance(std::size_t count) {
    rest_.remove_prefix(count);
    skip_space();
  }
  void skip_space() {
    while (!rest_.empty() &&
           (rest_.front() == ' ' || rest_.front() == '\n' || rest_.front() == '\r' || rest_.front() == '\t')) {
      rest_.remove_prefix(1);
    }
  }
  std::string_view string_inside();

  std::string_view rest_;
  std::string name_;
};

}  // namespace fairlead::json
