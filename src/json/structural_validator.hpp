#pragma once

#include <array>
#include <fairlead/json/scan.hpp>

namespace fairlead::json {

/// Checks the grammar of a text from the offsets of its structural characters and the starts of its scalars.
///
/// Relies on stage 1 of simdjson for UTF-8, closed strings and control characters. Linear time, no recursion.
class StructuralValidator {
 public:
  StructuralValidator(std::string_view text, std::span<const std::uint32_t> starts, const ScanOptions& options,
                      MemberIndex* index);

  ScanError run();

 private:
  static constexpr std::size_t max_depth_limit = 1024;
  // Message, params, _meta. Few, because closing an indexed object visits every member indexed so far.
  static constexpr std::size_t max_indexed_levels = 3;

  struct IndexedObject {
    std::uint32_t parent = MemberIndex::root;       ///< The member whose value this object is.
    std::uint32_t last_member = MemberIndex::root;  ///< Its last member so far; `root` for none.
    std::uint32_t descended = 0;                    ///< A bit per indexed name seen in it.
    std::uint64_t marks = 0;                        ///< Name bits of its members.
    bool may_repeat = false;                        ///< Two names share a bit, or one was escaped.
    std::size_t depth = 0;
  };

  bool walk();
  bool member(const std::uint32_t*& next, std::size_t depth);
  bool scalar(std::size_t begin);
  bool string(std::size_t begin, std::size_t next);
  bool escapes(std::size_t begin, std::size_t end);
  bool unicode_escapes(std::size_t& at, std::size_t end);

  bool indexed(std::size_t depth) const { return levels_ != 0 && indexed_[levels_ - 1].depth == depth; }
  IndexedObject& innermost() { return indexed_[levels_ - 1]; }
  void note_object(std::size_t depth);
  bool note_key(std::size_t begin, std::size_t next, bool escaped);
  void note_value_end(std::size_t next);
  bool note_close(std::size_t at);
  bool listed_twice(std::uint32_t parent) const;

  std::size_t end_before(std::size_t next) const;
  std::size_t next_backslash(std::size_t from) const;
  bool fail(ScanErrorCode code, std::size_t offset, const char* expected = "");

  std::string_view text_;
  std::span<const std::uint32_t> starts_;
  const ScanOptions& options_;
  MemberIndex* index_;
  std::size_t max_depth_;
  std::size_t backslash_;  ///< Offset of the next one, so that strings without escapes cost nothing.
  std::array<char, max_depth_limit + 1> closers_;  ///< By depth: the closing bracket of the open container.
  std::array<IndexedObject, max_indexed_levels> indexed_;
  std::size_t levels_ = 0;
  std::uint64_t wanted_ = 0;  ///< Name bits of the names to index.
  bool descend_;              ///< If the value ahead is an object, index it.
  ScanError error_;
};

}  // namespace fairlead::json
