#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "json/schema/regex.hpp"

namespace fairlead::json::schema {

/// The inside of an RE2 character class that stands for `\p{name}`; nothing for a property that RE2 lacks.
std::optional<std::string> unicode_property(std::string_view name, bool negated);

/// Reads ECMA-262 from left to right and writes RE2, where every literal beyond letters and digits is escaped.
class RegexTranslator {
 public:
  explicit RegexTranslator(std::string_view pattern) : left_(pattern) {}

  std::expected<std::string, PatternError> run();

 private:
  /// What an escape stands for: one character, or the inside of a class.
  struct Escape {
    std::optional<char32_t> point = {};
    std::string set = {};
  };

  /// What may come before a quantifier.
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
  bool take(std::string_view text);

  std::string_view left_;
  std::string out_ = {};
  Last last_ = Last::nothing;
  std::size_t open_ = 0;
  std::optional<PatternError> error_ = {};
};

/// A character as RE2 takes it, inside a class and outside.
std::string literal(char32_t point);

}  // namespace fairlead::json::schema
