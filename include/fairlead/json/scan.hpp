#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::json {

/// A stretch of a text, by offset, so that it stays true when the text moves.
struct Span {
  std::size_t begin = 0;
  std::size_t size = 0;

  explicit operator bool() const { return size != 0; }
  std::string_view in(std::string_view text) const { return text.substr(begin, size); }
  bool operator==(const Span&) const = default;
};

struct ScanOptions {
  /// Nesting that a text may have; the walk itself holds at most 1024.
  std::size_t max_depth = 128;

  /// Which objects the outline lists: the outermost one, and those reached from it through these names alone.
  std::span<const std::string_view> outline = {};
};

enum class ScanFault : std::uint8_t { none, empty, too_long, not_utf8, syntax, too_deep, duplicate_key };

/// Why a text was refused, and where.
struct ScanError {
  ScanFault fault = ScanFault::none;
  std::size_t offset = 0;  ///< In bytes; meaningless for `empty`, `too_long` and `not_utf8`.
  const char* expected = "";

  explicit operator bool() const { return fault != ScanFault::none; }
  std::string message() const;
};

/// A bit that stands for a name. Others have the same, but few: good enough to tell the names of a message apart
/// without comparing them.
constexpr std::uint64_t mark_of(std::string_view name) {
  if (name.empty()) return 1;
  const auto hash =
      name.size() * 7 + static_cast<unsigned char>(name.front()) * 5 + static_cast<unsigned char>(name.back());
  return std::uint64_t{1} << (hash & 63);
}

/// All marks: of an object of which nothing is known.
inline constexpr std::uint64_t every_mark = std::numeric_limits<std::uint64_t>::max();

/// The members of a text's outermost objects: what a router needs to know without a parse.
class Outline {
 public:
  static constexpr std::uint32_t root = std::numeric_limits<std::uint32_t>::max();

  struct Member {
    Span key;                          ///< Without quotes, escapes untouched.
    Span value;                        ///< Without the space around it.
    std::uint32_t parent = root;       ///< Index of the member whose object holds this one.
    bool escaped = false;              ///< The key contains an escape.
    std::uint64_t names = every_mark;  ///< If its value is an outlined object: the marks of the names in it.

    /// Whether this is its name; an escaped key is compared unescaped.
    bool is(std::string_view text, std::string_view name) const {
      return escaped ? is_unescaped(text, name) : key.in(text) == name;
    }

   private:
    bool is_unescaped(std::string_view text, std::string_view name) const;
  };

  std::vector<Member> members;

  /// The member called `name` of the object that `parent` holds, or null.
  const Member* find(std::string_view text, std::string_view name, std::uint32_t parent = root) const;
  std::uint32_t index_of(const Member& member) const { return static_cast<std::uint32_t>(&member - members.data()); }
};

/// One pass that decides whether `text` is a single JSON value we are willing to read: RFC 8259 grammar, valid UTF-8,
/// no lone surrogate, bounded depth, and no name twice in an outlined object. Numbers may have any size.
///
/// Fills `outline` when given, reusing its memory.
ScanError scan(std::string_view text, const ScanOptions& options = {}, Outline* outline = nullptr);

}  // namespace fairlead::json
