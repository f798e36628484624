#include "gateway/lua/pattern.hpp"

#include <algorithm>
#include <cctype>

namespace fairlead::gateway::lua {
namespace {

bool in_lower_class(unsigned char c, char letter) {
  switch (letter) {
    case 'a': return std::isalpha(c) != 0;
    case 'c': return std::iscntrl(c) != 0;
    case 'd': return std::isdigit(c) != 0;
    case 'g': return std::isgraph(c) != 0;
    case 'l': return std::islower(c) != 0;
    case 'p': return std::ispunct(c) != 0;
    case 's': return std::isspace(c) != 0;
    case 'u': return std::isupper(c) != 0;
    case 'w': return std::isalnum(c) != 0;
    case 'x': return std::isxdigit(c) != 0;
    default: return false;
  }
}

bool is_class_letter(char letter) {
  constexpr std::string_view letters = "acdglpsuwxACDGLPSUWX";
  return letters.contains(letter);
}

bool in_class(unsigned char c, unsigned char letter) {
  const bool complement = std::isupper(letter) != 0;
  return in_lower_class(c, static_cast<char>(std::tolower(letter))) != complement;
}

}  // namespace

Pattern::Pattern(lua_State* state, std::string_view text, bool anchors) : state_(state), text_(text) {
  if (text.size() > longest) {
    luaL_error(state, "a pattern of %d bytes is too long: at most %d are allowed",
               static_cast<int>(std::min<std::size_t>(text.size(), 1'000'000'000)), static_cast<int>(longest));
  }
  anchored_ = anchors && text.starts_with('^');
  if (anchored_) ++at_;
  while (at_ < text_.size()) read_item();
  if (!open_.empty()) luaL_error(state, "unfinished capture");
}

bool Pattern::fits(const Item& item, unsigned char c) const {
  switch (item.kind) {
    case Kind::literal: return item.first == c;
    case Kind::any: return true;
    case Kind::character_class: return in_class(c, item.first);
    default: return in_set(item, c);
  }
}

char Pattern::next(const char* what) {
  if (at_ == text_.size()) luaL_error(state_, "malformed pattern (%s)", what);
  return text_[at_++];
}

void Pattern::read_item() {
  switch (text_[at_]) {
    case '(': ++at_; return open_capture();
    case ')': ++at_; return close_capture();
    case '%': return read_escape();
    case '$':
      if (at_ + 1 == text_.size()) {
        ++at_;
        items_.push_back({.kind = Kind::end});
        return;
      }
      break;
    default: break;
  }
  read_single();
}

void Pattern::read_escape() {
  const char letter = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
  if (std::isdigit(static_cast<unsigned char>(letter)) != 0) {
    at_ += 2;
    return refer_back(letter);
  }
  if (letter == 'b') {
    at_ += 2;
    const auto first = static_cast<unsigned char>(next("missing arguments to '%b'"));
    const auto second = static_cast<unsigned char>(next("missing arguments to '%b'"));
    items_.push_back({.kind = Kind::balanced, .first = first, .second = second});
  } else if (letter == 'f') {
    at_ += 2;
    if (next("missing '[' after '%f'") != '[') luaL_error(state_, "missing '[' after '%%f' in pattern");
    items_.push_back({.kind = Kind::frontier, .set = read_set()});
  } else {
    read_single();
  }
}

void Pattern::read_single() {
  const char c = text_[at_++];
  if (c == '.') return read_repeat({.kind = Kind::any});
  if (c == '[') return read_repeat({.kind = Kind::one_of, .set = read_set()});
  if (c != '%') return read_repeat({.kind = Kind::literal, .first = static_cast<unsigned char>(c)});
  const char letter = next("ends with '%'");
  const auto kind = is_class_letter(letter) ? Kind::character_class : Kind::literal;
  read_repeat({.kind = kind, .first = static_cast<unsigned char>(letter)});
}

void Pattern::read_repeat(Item item) {
  constexpr std::string_view repeats = "*+-?";
  if (at_ < text_.size() && repeats.contains(text_[at_])) item.repeat = text_[at_++];
  items_.push_back(item);
}

void Pattern::open_capture() {
  if (captures_ == max_captures) luaL_error(state_, "too many captures");
  const auto number = static_cast<unsigned char>(captures_++);
  if (at_ < text_.size() && text_[at_] == ')') {
    ++at_;
    items_.push_back({.kind = Kind::position, .first = number});
    return;
  }
  open_.push_back(number);
  items_.push_back({.kind = Kind::open, .first = number});
}

void Pattern::close_capture() {
  if (open_.empty()) luaL_error(state_, "invalid pattern capture");
  items_.push_back({.kind = Kind::close, .first = open_.back()});
  open_.pop_back();
}

void Pattern::refer_back(char digit) {
  const int number = digit - '1';
  const auto is_open = std::ranges::find(open_, static_cast<unsigned char>(number)) != open_.end();
  if (number < 0 || static_cast<std::size_t>(number) >= captures_ || is_open) {
    luaL_error(state_, "invalid capture index %%%d", number + 1);
  }
  items_.push_back({.kind = Kind::back_reference, .first = static_cast<unsigned char>(number)});
}

void Pattern::add_range(std::bitset<256>& set, unsigned char first, unsigned char last) {
  for (unsigned c = first; c <= last; ++c) set.set(c);
}

// Reads a set up to its `]`. A leading `]` is a literal.
std::uint32_t Pattern::read_set() {
  constexpr const char* unfinished = "missing ']'";
  std::bitset<256> set;
  const bool complement = at_ < text_.size() && text_[at_] == '^';
  if (complement) ++at_;
  for (bool is_first = true;; is_first = false) {
    const char c = next(unfinished);
    if (c == ']' && !is_first) break;
    const auto byte = static_cast<unsigned char>(c);
    if (c == '%') {
      const auto letter = static_cast<unsigned char>(next(unfinished));
      if (!is_class_letter(static_cast<char>(letter))) set.set(letter);
      for (unsigned each = 0; each < 256 && is_class_letter(static_cast<char>(letter)); ++each) {
        if (in_class(static_cast<unsigned char>(each), letter)) set.set(each);
      }
    } else if (at_ + 1 < text_.size() && text_[at_] == '-' && text_[at_ + 1] != ']') {
      add_range(set, byte, static_cast<unsigned char>(text_[at_ + 1]));
      at_ += 2;
    } else {
      set.set(byte);
    }
  }
  sets_.push_back(complement ? ~set : set);
  return static_cast<std::uint32_t>(sets_.size() - 1);
}

}  // namespace fairlead::gateway::lua
