#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::json {

/// A part of a text by offset, valid also after the text has moved in memory.
struct Span {
  std::size_t begin = 0;
  std::size_t size = 0;

  explicit operator bool() const { return size != 0; }
  std::string_view in(std::string_view text) const { return text.substr(begin, size); }
  bool operator==(const Span&) const = default;
};

struct ScanOptions {
  /// Maximum nesting; at most 1024.
  std::size_t max_depth = 128;

  /// Objects to index: the outermost one, and those reached from it through members with these names only.
  std::span<const std::string_view> indexed_names = {};
};

enum class ScanErrorCode : std::uint8_t { none, empty, too_long, not_utf8, syntax, too_deep, duplicate_key };

/// Why and where a text was refused.
struct ScanError {
  ScanErrorCode code = ScanErrorCode::none;
  std::size_t offset = 0;  ///< In bytes; meaningless for `empty`, `too_long` and `not_utf8`.
  const char* expected = "";

  explicit operator bool() const { return code != ScanErrorCode::none; }
  std::string message() const;
};

/// The bit of a name in a Bloom filter of member names. Few names share a bit.
constexpr std::uint64_t name_bit(std::string_view name) {
  if (name.empty()) return 1;
  const auto hash =
      name.size() * 7 + static_cast<unsigned char>(name.front()) * 5 + static_cast<unsigned char>(name.back());
  return std::uint64_t{1} << (hash & 63);
}

constexpr std::uint64_t name_bits(std::initializer_list<std::string_view> names) {
  std::uint64_t bits = 0;
  for (const auto name : names) bits |= name_bit(name);
  return bits;
}

/// The filter of an object whose names are not known.
inline constexpr std::uint64_t all_name_bits = std::numeric_limits<std::uint64_t>::max();

/// The members of the outermost objects of a text, with their positions. Lets a router find them without parsing.
class MemberIndex {
 public:
  static constexpr std::uint32_t root = std::numeric_limits<std::uint32_t>::max();

  struct Member {
    Span key;                             ///< Without quotes, escapes untouched.
    Span value;                           ///< Without white space around it.
    std::uint32_t parent = root;          ///< Index of the member whose value contains this one.
    bool escaped = false;                 ///< The key contains an escape.
    std::uint64_t names = all_name_bits;  ///< Name bits of the value, if that is an indexed object.

    /// Compares the member's name; an escaped key is unescaped first.
    bool is(std::string_view text, std::string_view name) const {
      return escaped ? is_unescaped(text, name) : key.in(text) == name;
    }

   private:
    bool is_unescaped(std::string_view text, std::string_view name) const;
  };

  std::vector<Member> members;

  /// The member `name` of the object under `parent`, or null.
  const Member* find(std::string_view text, std::string_view name, std::uint32_t parent = root) const;
  std::uint32_t index_of(const Member& member) const { return static_cast<std::uint32_t>(&member - members.data()); }
};

/// Validates in one pass that `text` is a single JSON value: RFC 8259 grammar, valid UTF-8, no lone surrogate, bounded
/// depth, and no duplicate name in an indexed object. Numbers may have any size.
///
/// Fills `index` if given, reusing its memory.
ScanError scan(std::string_view text, const ScanOptions& options = {}, MemberIndex* index = nullptr);

}  // namespace fairlead::json
