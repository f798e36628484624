#include <fairlead/json/reader.hpp>

#include "json/lexical.hpp"

namespace fairlead::json {
namespace {

std::size_t container_end(std::string_view text) {
  std::size_t depth = 0;
  for (std::size_t at = 0;; ++at) {
    // Maps '[' to '{' and ']' to '}', and no other character of valid text to them.
    const int mark = text[at] | 0x20;
    if (text[at] == '"') {
      at = closing_quote(text, at);
    } else if (mark == '{') {
      ++depth;
    } else if (mark == '}' && --depth == 0) {
      return at + 1;
    }
  }
}

std::size_t scalar_end(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && !ends_scalar(text[at])) ++at;
  return at;
}

}  // namespace

std::string_view kind_phrase(Kind kind) {
  switch (kind) {
    case Kind::null: return "null";
    case Kind::boolean: return "a boolean";
    case Kind::number: return "a number";
    case Kind::string: return "a string";
    case Kind::array: return "an array";
    case Kind::object: break;
  }
  return "an object";
}

bool Reader::boolean() {
  const bool yes = rest_.front() == 't';
  advance(yes ? 4 : 5);
  return yes;
}

std::string_view Reader::number() {
  return skip();
}

void Reader::string(std::string& out) {
  const auto mark = quote_or_escape(rest_, 1);
  if (rest_[mark] != '"') return append_unescaped(out, string_inside());
  out.append(rest_.data() + 1, mark - 1);
  advance(mark + 1);
}

std::string_view Reader::text(std::string& scratch) {
  const auto mark = quote_or_escape(rest_, 1);
  if (rest_[mark] == '"') {
    const std::string_view plain(rest_.data() + 1, mark - 1);
    advance(mark + 1);
    return plain;
  }
  const auto inside = string_inside();
  scratch.clear();
  append_unescaped(scratch, inside);
  return scratch;
}

std::string_view Reader::key() {
  const std::string_view name = text(name_);
  advance(1);
  return name;
}

std::string_view Reader::skip() {
  std::size_t end = 0;
  switch (kind()) {
    case Kind::string: end = closing_quote(rest_, 0) + 1; break;
    case Kind::array:
    case Kind::object: end = container_end(rest_); break;
    default: end = scalar_end(rest_); break;
  }
  const std::string_view value = rest_.substr(0, end);
  advance(end);
  return value;
}

std::string_view Reader::skip(std::string_view likely_object) {
  // An object is never a prefix of another one.
  if (!likely_object.starts_with('{') || !rest_.starts_with(likely_object)) return skip();
  const std::string_view value = rest_.substr(0, likely_object.size());
  advance(likely_object.size());
  return value;
}

std::string_view Reader::string_inside() {
  const std::size_t end = closing_quote(rest_, 0);
  const std::string_view inside = rest_.substr(1, end - 1);
  advance(end + 1);
  return inside;
}

}  // namespace fairlead::json
