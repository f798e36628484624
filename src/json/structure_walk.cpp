#include "json/structure_walk.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "json/text.hpp"

namespace fairlead::json {

StructureWalk::StructureWalk(std::string_view text, std::span<const std::uint32_t> starts, const ScanOptions& options,
                             Outline* outline)
    : text_(text),
      starts_(starts),
      options_(options),
      outline_(outline),
      max_depth_(std::min(options.max_depth, deepest)),
      backslash_(next_backslash(0)),
      descend_(outline != nullptr) {
  for (const auto name : options.outline) wanted_ |= mark_of(name);
}

ScanError StructureWalk::run() {
  const char first = text_[starts_[0]];
  if (first == '{' || first == '[') {
    walk();
  } else if (first == '"' ? string(starts_[0], starts_.size() > 1 ? starts_[1] : text_.size()) : scalar(starts_[0])) {
    if (starts_.size() > 1) fault(ScanFault::syntax, starts_[1], "nothing after the value");
  }
  return error_;
}

// The last start is a closing bracket, so while a container is open there is a byte after every value and a start after
// every name, comma and colon: only a bracket can be the last thing read.
bool StructureWalk::walk() {
  const char* const text = text_.data();
  const std::uint32_t* next = starts_.data();
  const std::uint32_t* const end = next + starts_.size();
  if (text[end[-1]] != '}' && text[end[-1]] != ']') return fault(ScanFault::syntax, end[-1], "a closing bracket");

  for (std::size_t depth = 0;;) {
    const std::uint32_t at = *next++;
    const char first = text[at];
    if (first == '{' || first == '[') {
      if (depth == max_depth_) return fault(ScanFault::too_deep, at);
      closers_[++depth] = first == '{' ? '}' : ']';
      if (descend_) note_object(first == '{' ? depth : 0);
      if (text[*next] != closers_[depth]) {
        if (first == '{' && !member(next, depth)) return false;
        continue;
      }
    } else if (first == '"') {
      if (backslash_ < *next && !string(at, *next)) return false;
    } else if (!scalar(at)) {
      return false;
    }

    while (true) {  // Out of every container that ends here, then past the comma.
      if (outlined(depth)) note_value_end(*next);
      const char mark = text[*next];
      if (mark == ',') break;
      if (mark != closers_[depth]) return fault(ScanFault::syntax, *next, "',' or a closing bracket");
      if (outlined(depth) && !note_close(*next)) return false;
      ++next;
      if (--depth == 0) return next == end || fault(ScanFault::syntax, *next, "nothing after the value");
      if (next == end) return fault(ScanFault::syntax, text_.size(), "a closing bracket");
    }
    ++next;
    if (closers_[depth] == '}' && !member(next, depth)) return false;
  }
}

// A member's name and colon; `next` is left on its value.
inline bool StructureWalk::member(const std::uint32_t*& next, std::size_t depth) {
  const std::uint32_t at = *next++;
  if (text_[at] != '"') return fault(ScanFault::syntax, at, "a member name in quotes");
  const bool listed = outlined(depth);
  const bool escaped = backslash_ < *next;
  if (escaped && !string(at, *next)) return false;
  if (listed && !note_key(at, *next, escaped)) return fault(ScanFault::duplicate_key, at);
  if (text_[*next] != ':') return fault(ScanFault::syntax, *next, "':'");
  ++next;
  if (listed) outline_->members.back().value.begin = *next;
  return true;
}

bool StructureWalk::scalar(std::size_t begin) {
  std::size_t end = begin;
  const std::string_view rest = text_.substr(begin, 5);
  if (is_digit(rest[0]) || rest[0] == '-') {
    end = number_end(text_, begin);
  } else if (rest == "false") {
    end += 5;
  } else if (rest.starts_with("true") || rest.starts_with("null")) {
    end += 4;
  }
  return (end != begin && (end == text_.size() || ends_scalar(text_[end]))) ||
         fault(ScanFault::syntax, begin, "true, false, null, a number, a string, '[' or '{'");
}

bool StructureWalk::string(std::size_t begin, std::size_t next) {
  if (backslash_ >= next) return true;
  const std::size_t end = end_before(next) - 1;
  if (!escapes(begin, end)) return false;
  backslash_ = next_backslash(end);
  return true;
}

bool StructureWalk::escapes(std::size_t begin, std::size_t end) {
  for (std::size_t at = std::max(begin, backslash_); at < end; at = next_backslash(at)) {
    const char kind = text_[at + 1];
    if (kind == 'u') {
      if (!unicode_escapes(at, end)) return false;
    } else if (std::string_view("\"\\/bfnrt").find(kind) != std::string_view::npos) {
      at += 2;
    } else {
      return fault(ScanFault::syntax, at, "a legal escape");
    }
  }
  return true;
}

// One \uXXXX, or two that form a pair. A lone surrogate has no UTF-8 form, so the next reader would see another string.
bool StructureWalk::unicode_escapes(std::size_t& at, std::size_t end) {
  const auto unit_at = [&](std::size_t begin, std::uint32_t& unit) {
    return begin + 6 <= end && text_[begin] == '\\' && text_[begin + 1] == 'u' &&
           read_hex4(text_.data() + begin + 2, unit);
  };
  std::uint32_t unit = 0;
  std::uint32_t low = 0;
  if (!unit_at(at, unit)) return fault(ScanFault::syntax, at, "four hexadecimal digits after \\u");
  const bool surrogate = unit >= 0xD800 && unit <= 0xDFFF;
  if (surrogate && (unit >= 0xDC00 || !unit_at(at + 6, low) || low < 0xDC00 || low > 0xDFFF)) {
    return fault(ScanFault::syntax, at, "a surrogate pair");
  }
  at += surrogate ? 12 : 6;
  return true;
}

void StructureWalk::note_object(std::size_t depth) {
  descend_ = false;
  if (depth == 0 || levels_ == outlined_levels) return;
  const auto holder = levels_ == 0 ? Outline::root : innermost().newest;
  outlined_[levels_++] = {.holder = holder, .depth = depth};
}

bool StructureWalk::note_key(std::size_t begin, std::size_t next, bool escaped) {
  const std::size_t end = end_before(next) - 1;
  auto& object = innermost();
  object.newest = static_cast<std::uint32_t>(outline_->members.size());
  const auto& member = outline_->members.emplace_back(
      Outline::Member{.key = {begin + 1, end - begin - 1}, .value = {}, .parent = object.holder, .escaped = escaped});

  const std::uint64_t mark = mark_of(member.key.in(text_));
  object.may_repeat = object.may_repeat || escaped || (object.marks & mark) != 0;
  object.marks |= mark;

  descend_ = false;
  if (!escaped && (wanted_ & mark) == 0) return true;
  const auto name =
      std::ranges::find_if(options_.outline, [&](std::string_view wanted) { return member.is(text_, wanted); });
  descend_ = name != options_.outline.end();
  if (!descend_) return true;
  // At once, not when the object closes: a thousand objects to outline in one would make the walk quadratic.
  const std::uint32_t bit = std::uint32_t{1} << (name - options_.outline.begin());
  const bool first = (object.descended & bit) == 0;
  object.descended |= bit;
  return first;
}

void StructureWalk::note_value_end(std::size_t next) {
  if (innermost().newest == Outline::root) return;
  auto& value = outline_->members[innermost().newest].value;
  value.size = end_before(next) - value.begin;
}

bool StructureWalk::note_close(std::size_t at) {
  const auto& object = innermost();
  if (object.may_repeat && listed_twice(object.holder)) return fault(ScanFault::duplicate_key, at);
  // An escaped name has the mark of another.
  if (object.holder != Outline::root && !object.may_repeat) outline_->members[object.holder].names = object.marks;
  --levels_;
  return true;
}

bool StructureWalk::listed_twice(std::uint32_t holder) const {
  constexpr std::size_t few = 16;
  std::array<std::string_view, few> seen;
  std::size_t count = 0;
  bool plain = true;
  for (const auto& member : outline_->members) {
    if (member.parent != holder) continue;
    plain = plain && !member.escaped && count < few;
    if (!plain) break;
    const std::string_view name = member.key.in(text_);
    if (std::find(seen.begin(), seen.begin() + count, name) != seen.begin() + count) return true;
    seen[count++] = name;
  }
  if (plain) return false;

  std::vector<std::string> names;
  for (const auto& member : outline_->members) {
    if (member.parent == holder) names.push_back(unescape(member.key.in(text_)));
  }
  std::ranges::sort(names);
  return std::ranges::adjacent_find(names) != names.end();
}

// Between a value and the structural character after it there is only white space.
std::size_t StructureWalk::end_before(std::size_t next) const {
  std::size_t end = next;
  while (is_space(text_[end - 1])) --end;
  return end;
}

std::size_t StructureWalk::next_backslash(std::size_t from) const {
  const void* found = std::memchr(text_.data() + from, '\\', text_.size() - from);
  return found ? static_cast<std::size_t>(static_cast<const char*>(found) - text_.data()) : text_.size();
}

bool StructureWalk::fault(ScanFault fault, std::size_t offset, const char* expected) {
  error_ = {.fault = fault, .offset = offset, .expected = expected};
  return false;
}

}  // namespace fairlead::json
