#include "config/toml_scanner.hpp"

#include <algorithm>
#include <fairlead/base/utf8.hpp>

#include "base/parse_number.hpp"
#include "config/toml_scalar.hpp"

namespace fairlead::config {
namespace {

bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

// TOML allows no control characters but the tab in comments and strings.
bool is_toml_text(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return c == '\t' || (byte >= ' ' && byte != 0x7F);
}

}  // namespace

bool TomlScanner::fail(std::string_view expected) {
  if (error_.empty()) error_ = "is not valid TOML here: expected " + std::string(expected);
  at_ = text_.size();
  return false;
}

bool TomlScanner::take(std::string_view word) {
  if (!text_.substr(std::min(at_, text_.size())).starts_with(word)) return false;
  at_ += word.size();
  return true;
}

bool TomlScanner::take_line_end() {
  if (!take("\n") && !take("\r\n")) return false;
  ++line_;
  return true;
}

void TomlScanner::skip_space() {
  while (peek() == ' ' || peek() == '\t') ++at_;
}

bool TomlScanner::skip_comment() {
  if (!take("#")) return true;
  while (!at_end() && is_toml_text(peek())) ++at_;
  return at_end() || peek() == '\n' || peek() == '\r' || fail("a comment without control characters");
}

bool TomlScanner::skip_lines() {
  do {
    skip_space();
    if (!skip_comment()) return false;
  } while (take_line_end());
  return error_.empty();
}

bool TomlScanner::end_line() {
  skip_space();
  if (!error_.empty() || !skip_comment()) return false;
  return at_end() || take_line_end() || fail("the end of the line");
}

bool TomlScanner::read_key(std::vector<std::string>& parts) {
  do {
    skip_space();
    if (!read_key_part(parts.emplace_back())) return false;
    skip_space();
  } while (take("."));
  return true;
}

bool TomlScanner::read_key_part(std::string& out) {
  if (take("\"")) return read_basic(out, false);
  if (take("'")) return read_literal(out, false);
  while (is_bare(peek())) out += text_[at_++];
  return !out.empty() || fail("a key");
}

bool TomlScanner::read_string(std::string& out) {
  for (const auto quotes : {R"(""")", "'''"}) {
    if (!take(quotes)) continue;
    take_line_end();  // A line break right after the quotes is not part of the string.
    return *quotes == '"' ? read_basic(out, true) : read_literal(out, true);
  }
  if (take("\"")) return read_basic(out, false);
  return take("'") ? read_literal(out, false) : fail("a string");
}

bool TomlScanner::take_text(std::string& out, bool many_lines) {
  if (many_lines && take_line_end()) {
    out += '\n';
    return true;
  }
  if (at_end() || !is_toml_text(peek())) return fail(many_lines ? "the quotes that end a string" : "a closing quote");
  out += text_[at_++];
  return true;
}

std::optional<bool> TomlScanner::end_many_lines(std::string& out, char quote) {
  constexpr std::size_t of_the_end = 3;
  const auto rest = text_.substr(at_);
  const auto run = std::min(rest.find_first_not_of(quote), rest.size());
  if (run < of_the_end) return std::nullopt;
  if (run > of_the_end + 2) return fail("at most two quotes before those that end a string");
  out.append(run - of_the_end, quote);
  at_ += run;
  return true;
}

bool TomlScanner::read_basic(std::string& out, bool many_lines) {
  while (true) {
    if (many_lines) {
      if (const auto ended = end_many_lines(out, '"')) return *ended;
    } else if (take("\"")) {
      return true;
    }
    if (take("\\") ? !read_escape(out, many_lines) : !take_text(out, many_lines)) return false;
  }
}

bool TomlScanner::read_literal(std::string& out, bool many_lines) {
  while (true) {
    if (many_lines) {
      if (const auto ended = end_many_lines(out, '\'')) return *ended;
    } else if (take("'")) {
      return true;
    }
    if (!take_text(out, many_lines)) return false;
  }
}

bool TomlScanner::read_escape(std::string& out, bool many_lines) {
  constexpr std::string_view letters = "btnfr\"\\";
  constexpr std::string_view meanings = "\b\t\n\f\r\"\\";
  if (const auto found = at_end() ? std::string_view::npos : letters.find(peek()); found != std::string_view::npos) {
    out += meanings[found];
    ++at_;
    return true;
  }
  if (take("u")) return read_code_point(out, 4);
  if (take("U")) return read_code_point(out, 8);
  // A backslash at the end of a line joins the next line, without its indentation.
  skip_space();
  if (!many_lines || !take_line_end()) return fail("an escape such as \\n, \\\" or \\u00E9");
  do skip_space();
  while (take_line_end());
  return true;
}

bool TomlScanner::read_code_point(std::string& out, std::size_t digits) {
  constexpr int hexadecimal = 16;
  const auto word = text_.substr(std::min(at_, text_.size()), digits);
  const auto point = parse_number<std::uint32_t>(word, hexadecimal);
  const bool is_character = point && *point <= 0x10FFFF && (*point < 0xD800 || *point > 0xDFFF);
  if (word.size() != digits || !is_character) return fail("the number of a Unicode character");
  append_utf8(out, static_cast<char32_t>(*point));
  at_ += digits;
  return true;
}

bool TomlScanner::read_plain(std::string& out) {
  const auto is_of_it = [](char c) { return is_bare(c) || c == '+' || c == '.' || c == ':'; };
  const auto begin = at_;
  while (is_of_it(peek())) ++at_;
  // A date and a time may have a space between them.
  const auto word = text_.substr(begin, at_ - begin);
  const bool has_time =
      is_toml_date(word) && peek() == ' ' && at_ + 1 < text_.size() && text_[at_ + 1] >= '0' && text_[at_ + 1] <= '9';
  if (has_time) {
    ++at_;
    while (is_of_it(peek())) ++at_;
  }
  const auto value = read_toml_scalar(text_.substr(begin, at_ - begin));
  if (!value) return fail("a value: a string in quotes, a number, true, false, a date, a list or a table");
  out = *value;
  return true;
}

}  // namespace fairlead::config
