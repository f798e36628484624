#include "json/schema/regex_translator.hpp"

#include <fmt/format.h>

#include "json/schema/utf8.hpp"

namespace fairlead::json::schema {

namespace {

constexpr std::string_view linear =
    " is not supported: patterns run on RE2, which takes linear time and therefore has no look-around and no "
    "back-references; write the pattern without it, or use allOf/not with several patterns";

bool is_alphanumeric(char32_t c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

}  // namespace

std::string literal(char32_t point) {
  if (is_alphanumeric(point)) return std::string(1, static_cast<char>(point));
  return fmt::format("\\x{{{:X}}}", static_cast<std::uint32_t>(point));
}

std::expected<std::string, PatternError> re2_syntax(std::string_view pattern) {
  return RegexTranslator(pattern).run();
}

std::expected<std::string, PatternError> RegexTranslator::run() {
  while (!left_.empty() && !error_) step();
  if (!error_ && open_ != 0) refuse("has a ( without its )");
  if (error_) return std::unexpected(*error_);
  return out_;
}

void RegexTranslator::step() {
  const char next = left_.front();
  if (next == '\\') return escape();
  const char32_t point = consume_code_point(left_);
  switch (point) {
    case '^': return emit("\\A", Last::assertion);
    case '$': return emit("\\z", Last::assertion);
    case '.': return emit("[^\\n\\r\\x{2028}\\x{2029}]", Last::atom);
    case '|': return emit("|", Last::nothing);
    case '(': return open_group();
    case ')': return close_group();
    case '[': return character_class();
    case '{': return braces();
    case '*':
    case '+':
    case '?': return quantifier(next);
    default: return emit(literal(point), Last::atom);
  }
}

/// Captures are not used, so every group is written as non-capturing.
void RegexTranslator::open_group() {
  if (consume("?=") || consume("?!")) return refuse("look-ahead" + std::string(linear), true);
  if (consume("?<=") || consume("?<!")) return refuse("look-behind" + std::string(linear), true);
  if (consume("?<")) {
    const auto end = left_.find('>');
    if (end == left_.npos || end == 0) return refuse("has a group name without its >");
    left_.remove_prefix(end + 1);
  } else if (!consume("?:") && left_.starts_with('?')) {
    return refuse("has (? without a valid group after it");
  }
  ++open_;
  emit("(?:", Last::nothing);
}

void RegexTranslator::close_group() {
  if (open_ == 0) return refuse("has a ) without its (");
  --open_;
  emit(")", Last::atom);
}

void RegexTranslator::quantifier(char symbol) {
  emit_repeat(std::string_view(&symbol, 1));
}

/// A brace that does not form a quantifier is a literal (Annex B).
void RegexTranslator::braces() {
  const auto start = left_;
  const bool lower = digits();
  if (lower && consume(",")) digits();
  if (lower && consume("}")) {
    const auto text = start.substr(0, start.size() - left_.size());
    return emit_repeat(fmt::format("{{{}", text));
  }
  left_ = start;
  emit("\\{", Last::atom);
}

bool RegexTranslator::digits() {
  const auto end = std::min(left_.find_first_not_of("0123456789"), left_.size());
  left_.remove_prefix(end);
  return end != 0;
}

void RegexTranslator::escape() {
  left_.remove_prefix(1);
  if (consume("b")) return emit("\\b", Last::assertion);
  if (consume("B")) return emit("\\B", Last::assertion);
  const auto what = escaped(false);
  if (error_) return;
  emit(what.point ? literal(*what.point) : fmt::format("[{}]", what.set), Last::atom);
}

void RegexTranslator::emit(std::string_view text, Last last) {
  out_ += text;
  last_ = last;
}

void RegexTranslator::emit_repeat(std::string_view text) {
  if (last_ != Last::atom) return refuse(fmt::format("has {} with nothing to repeat", text));
  emit(text, Last::quantified);
  if (consume("?")) out_ += '?';
}

void RegexTranslator::refuse(std::string reason, bool unsupported) {
  if (!error_) error_ = PatternError{unsupported, std::move(reason)};
  left_ = {};
}

bool RegexTranslator::consume(std::string_view text) {
  if (!left_.starts_with(text)) return false;
  left_.remove_prefix(text.size());
  return true;
}

}  // namespace fairlead::json::schema
