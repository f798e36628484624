#include <fairlead/json/reader.hpp>

#include "json/text.hpp"

namespace fairlead::json {
namespace {

std::size_t container_end(std::string_view text) {
  std::size_t depth = 0;
  for (std::size_t at = 0;; ++at) {
    switch (text[at]) {
      case '"': at = closing_quote(text, at); break;
      case '{':
      case '[': ++depth; break;
      case '}':
      case ']':
        if (--depth == 0) return at + 1;
        break;
      default: break;
    }
  }
}

std::size_t scalar_end(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && !ends_scalar(text[at])) ++at;
  return at;
}

}  // namespace

std::string_view article(Kind kind) {
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

Kind Reader::kind() const {
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

bool Reader::boolean() {
  const bool yes = rest_.front() == 't';
  advance(yes ? 4 : 5);
  return yes;
}

std::string_view Reader::number() {
  return skip();
}

void Reader::string(std::string& out) {
  append_unescaped(out, string_inside());
}

std::string_view Reader::text(std::string& scratch) {
  const std::string_view inside = string_inside();
  if (inside.find('\\') == std::string_view::npos) return inside;
  scratch.clear();
  append_unescaped(scratch, inside);
  return scratch;
}

bool Reader::more() {
  const char mark = rest_.front();
  if (mark == '}' || mark == ']') {
    advance(1);
    return false;
  }
  if (mark == ',') advance(1);
  return true;
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

void Reader::skip_space() {
  while (!rest_.empty() && is_space(rest_.front())) rest_.remove_prefix(1);
}

std::string_view Reader::string_inside() {
  const std::size_t end = closing_quote(rest_, 0);
  const std::string_view inside = rest_.substr(1, end - 1);
  advance(end + 1);
  return inside;
}

}  // namespace fairlead::json
