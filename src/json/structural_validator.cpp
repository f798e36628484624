#include "json/structural_validator.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "json/lexical.hpp"

namespace fairlead::json {

StructuralValidator::StructuralValidator(std::string_view text, std::span<const std::uint32_t> starts,
                                         const ScanOptions& options, MemberIndex* index)
    : text_(text),
      starts_(starts),
      options_(options),
      index_(index),
      max_depth_(std::min(options.max_depth, max_depth_limit)),
      backslash_(next_backslash(0)),
      descend_(index != nullptr) {
  for (const auto name : options.indexed_names) wanted_ |= name_bit(name);
}

ScanError StructuralValidator::run() {
  const char first = text_[starts_[0]];
  if (first == '{' || first == '[') {
    walk();
  } else if (first == '"' ? string(starts_[0], starts_.size() > 1 ? starts_[1] : text_.size()) : scalar(starts_[0])) {
    if (starts_.size() > 1) fail(ScanErrorCode::syntax, starts_[1], "nothing after the value");
  }
  return error_;
}

// The last start is a closing bracket. While a container is open there is thus a byte after every value and a start
// after every name, comma and colon: only a bracket can be the last token.
bool StructuralValidator::walk() {
  const char* const text = text_.data();
  const std::uint32_t* next = starts_.data();
  const std::uint32_t* const end = next + starts_.size();
  if (text[end[-1]] != '}' && text[end[-1]] != ']') return fail(ScanErrorCode::syntax, end[-1], "a closing bracket");

  for (std::size_t depth = 0;;) {
    const std::uint32_t at = *next++;
    const char first = text[at];
    if (first == '{' || first == '[') {
      if (depth == max_depth_) return fail(ScanErrorCode::too_deep, at);
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

    while (true) {  // Leave every container that ends here, then skip the comma.
      if (indexed(depth)) note_value_end(*next);
      const char mark = text[*next];
      if (mark == ',') break;
      if (mark != closers_[depth]) return fail(ScanErrorCode::syntax, *next, "',' or a closing bracket");
      if (indexed(depth) && !note_close(*next)) return false;
      ++next;
      if (--depth == 0) return next == end || fail(ScanErrorCode::syntax, *next, "nothing after the value");
      if (next == end) return fail(ScanErrorCode::syntax, text_.size(), "a closing bracket");
    }
    ++next;
    if (closers_[depth] == '}' && !member(next, depth)) return false;
  }
}

// Reads a member's name and colon; leaves `next` at its value.
inline bool StructuralValidator::member(const std::uint32_t*& next, std::size_t depth) {
  const std::uint32_t at = *next++;
  if (text_[at] != '"') return fail(ScanErrorCode::syntax, at, "a member name in quotes");
  const bool listed = indexed(depth);
  const bool escaped = backslash_ < *next;
  if (escaped && !string(at, *next)) return false;
  if (listed && !note_key(at, *next, escaped)) return fail(ScanErrorCode::duplicate_key, at);
  if (text_[*next] != ':') return fail(ScanErrorCode::syntax, *next, "':'");
  ++next;
  if (listed) index_->members.back().value.begin = *next;
  return true;
}

bool StructuralValidator::scalar(std::size_t begin) {
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
         fail(ScanErrorCode::syntax, begin, "true, false, null, a number, a string, '[' or '{'");
}

bool StructuralValidator::string(std::size_t begin, std::size_t next) {
  if (backslash_ >= next) return true;
  const std::size_t end = end_before(next) - 1;
  if (!escapes(begin, end)) return false;
  backslash_ = next_backslash(end);
  return true;
}

bool StructuralValidator::escapes(std::size_t begin, std::size_t end) {
  for (std::size_t at = std::max(begin, backslash_); at < end; at = next_backslash(at)) {
    const char kind = text_[at + 1];
    if (kind == 'u') {
      if (!unicode_escapes(at, end)) return false;
    } else if (std::string_view("\"\\/bfnrt").find(kind) != std::string_view::npos) {
      at += 2;
    } else {
      return fail(ScanErrorCode::syntax, at, "a legal escape");
    }
  }
  return true;
}

// One \uXXXX, or two that form a surrogate pair. A lone surrogate has no UTF-8 form: readers would disagree about it.
bool StructuralValidator::unicode_escapes(std::size_t& at, std::size_t end) {
  const auto unit_at = [&](std::size_t begin, std::uint32_t& unit) {
    return begin + 6 <= end && text_[begin] == '\\' && text_[begin + 1] == 'u' &&
           read_hex4(text_.data() + begin + 2, unit);
  };
  std::uint32_t unit = 0;
  std::uint32_t low = 0;
  if (!unit_at(at, unit)) return fail(ScanErrorCode::syntax, at, "four hexadecimal digits after \\u");
  const bool surrogate = unit >= 0xD800 && unit <= 0xDFFF;
  if (surrogate && (unit >= 0xDC00 || !unit_at(at + 6, low) || low < 0xDC00 || low > 0xDFFF)) {
    return fail(ScanErrorCode::syntax, at, "a surrogate pair");
  }
  at += surrogate ? 12 : 6;
  return true;
}

void StructuralValidator::note_object(std::size_t depth) {
  descend_ = false;
  if (depth == 0 || levels_ == max_indexed_levels) return;
  const auto parent = levels_ == 0 ? MemberIndex::root : innermost().last_member;
  indexed_[levels_++] = {.parent = parent, .depth = depth};
}

bool StructuralValidator::note_key(std::size_t begin, std::size_t next, bool escaped) {
  const std::size_t end = end_before(next) - 1;
  auto& object = innermost();
  object.last_member = static_cast<std::uint32_t>(index_->members.size());
  const auto& member = index_->members.emplace_back(MemberIndex::Member{
      .key = {begin + 1, end - begin - 1}, .value = {}, .parent = object.parent, .escaped = escaped});

  const std::uint64_t mark = name_bit(member.key.in(text_));
  object.may_repeat = object.may_repeat || escaped || (object.marks & mark) != 0;
  object.marks |= mark;

  descend_ = false;
  if (!escaped && (wanted_ & mark) == 0) return true;
  const auto name =
      std::ranges::find_if(options_.indexed_names, [&](std::string_view wanted) { return member.is(text_, wanted); });
  descend_ = name != options_.indexed_names.end();
  if (!descend_) return true;
  // Now, not when the object closes: many indexed objects in one object would make the pass quadratic.
  const std::uint32_t bit = std::uint32_t{1} << (name - options_.indexed_names.begin());
  const bool first = (object.descended & bit) == 0;
  object.descended |= bit;
  return first;
}

void StructuralValidator::note_value_end(std::size_t next) {
  if (innermost().last_member == MemberIndex::root) return;
  auto& value = index_->members[innermost().last_member].value;
  value.size = end_before(next) - value.begin;
}

bool StructuralValidator::note_close(std::size_t at) {
  const auto& object = innermost();
  if (object.may_repeat && listed_twice(object.parent)) return fail(ScanErrorCode::duplicate_key, at);
  // The bit of an escaped name is that of another name.
  if (object.parent != MemberIndex::root && !object.may_repeat) index_->members[object.parent].names = object.marks;
  --levels_;
  return true;
}

bool StructuralValidator::listed_twice(std::uint32_t parent) const {
  constexpr std::size_t few = 16;
  std::array<std::string_view, few> seen;
  std::size_t count = 0;
  bool plain = true;
  for (const auto& member : index_->members) {
    if (member.parent != parent) continue;
    plain = plain && !member.escaped && count < few;
    if (!plain) break;
    const std::string_view name = member.key.in(text_);
    if (std::find(seen.begin(), seen.begin() + count, name) != seen.begin() + count) return true;
    seen[count++] = name;
  }
  if (plain) return false;

  std::vector<std::string> names;
  for (const auto& member : index_->members) {
    if (member.parent == parent) names.push_back(unescape(member.key.in(text_)));
  }
  std::ranges::sort(names);
  return std::ranges::adjacent_find(names) != names.end();
}

// Only white space separates a value from the next structural character.
std::size_t StructuralValidator::end_before(std::size_t next) const {
  std::size_t end = next;
  while (is_space(text_[end - 1])) --end;
  return end;
}

std::size_t StructuralValidator::next_backslash(std::size_t from) const {
  const void* found = std::memchr(text_.data() + from, '\\', text_.size() - from);
  return found ? static_cast<std::size_t>(static_cast<const char*>(found) - text_.data()) : text_.size();
}

bool StructuralValidator::fail(ScanErrorCode code, std::size_t offset, const char* expected) {
  error_ = {.code = code, .offset = offset, .expected = expected};
  return false;
}

}  // namespace fairlead::json
