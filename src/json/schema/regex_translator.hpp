#pragma once

#include <optional>

#include "json/schema/regex.hpp"

namespace fairlead::json::schema {

/// The content of the RE2 character class for `\p{name}`; nothing for a property that RE2 lacks.
std::optional<std::string> unicode_property(std::string_view name, bool negated);

/// Translates ECMA-262 to RE2 from left to right; escapes every literal except letters and digits.
class RegexTranslator {
 public:
  explicit RegexTranslator(std::string_view pattern) : left_(pattern) {}

  std::expected<std::string, PatternError> run();

 private:
  /// The meaning of an escape: one character, or the content of a class.
  struct Escape {
    std::optional<char32_t> point = {};
    std::string set = {};
  };

  /// The kind of the last item, for the check of quantifiers.
  enum class Last { nothing, atom, assertion, quantified };

  void step();
  void open_group();
  void close_group();
  void quantifier(char symbol);
  void braces();
  bool digits();
  void escape();
  void character_class();
  void class_member(std::string& members);
  Escape class_atom();
  Escape escaped(bool in_class);
  Escape property(bool negated);
  char32_t code_unit_escape();
  char32_t hex(std::size_t digits);
  std::optional<char32_t> peek_low_surrogate() const;

  void emit(std::string_view text, Last last);
  void emit_repeat(std::string_view text);
  void refuse(std::string reason, bool unsupported = false);
  bool consume(std::string_view text);

  std::string_view left_;
  std::string out_ = {};
  Last last_ = Last::nothing;
  std::size_t open_ = 0;
  std::optional<PatternError> error_ = {};
};

/// A character in RE2 syntax, valid inside and outside a class.
std::string literal(char32_t point);

}  // namespace fairlead::json::schema
