#pragma once

#include <array>
#include <cstdint>
#include <fairlead/json/scan.hpp>
#include <span>
#include <string_view>

namespace fairlead::json {

/// Checks a text's grammar by hopping along the offsets of its structural characters and the starts of its scalars.
///
/// Relies on stage 1 for UTF-8, closed strings and control characters. Linear time, no recursion.
class StructureWalk {
 public:
  StructureWalk(std::string_view text, std::span<const std::uint32_t> starts, const ScanOptions& options,
                Outline* outline);

  ScanError run();

 private:
  static constexpr std::size_t deepest = 1024;
  // Message, params, _meta. Few, because closing an outlined object looks at every member listed so far.
  static constexpr std::size_t outlined_levels = 3;

  struct OutlinedObject {
    std::uint32_t holder = Outline::root;  ///< The member whose value this object is.
    std::uint32_t newest = Outline::root;  ///< Its member read last; `root` while it has none.
    std::uint32_t descended = 0;           ///< A bit per outlined name seen in it.
    std::uint64_t marks = 0;               ///< A bit per hash of its names.
    bool may_repeat = false;               ///< Two names had the same hash, or one was escaped.
    std::size_t depth = 0;
  };

  bool walk();
  bool member(const std::uint32_t*& next, std::size_t depth);
  bool scalar(std::size_t begin);
  bool string(std::size_t begin, std::size_t next);
  bool escapes(std::size_t begin, std::size_t end);
  bool unicode_escapes(std::size_t& at, std::size_t end);

  bool outlined(std::size_t depth) const { return levels_ != 0 && outlined_[levels_ - 1].depth == depth; }
  OutlinedObject& innermost() { return outlined_[levels_ - 1]; }
  void note_object(std::size_t depth);
  bool note_key(std::size_t begin, std::size_t next, bool escaped);
  void note_value_end(std::size_t next);
  bool note_close(std::size_t at);
  bool listed_twice(std::uint32_t holder) const;

  std::size_t end_before(std::size_t next) const;
  std::size_t next_backslash(std::size_t from) const;
  bool fault(ScanFault fault, std::size_t offset, const char* expected = "");

  std::string_view text_;
  std::span<const std::uint32_t> starts_;
  const ScanOptions& options_;
  Outline* outline_;
  std::size_t max_depth_;
  std::size_t backslash_;                  ///< The next one from here on, so that strings without any cost nothing.
  std::array<char, deepest + 1> closers_;  ///< By depth: the bracket that ends the container open there.
  std::array<OutlinedObject, outlined_levels> outlined_;
  std::size_t levels_ = 0;
  std::uint64_t wanted_ = 0;  ///< A bit per hash of the names to outline.
  bool descend_;              ///< If the value ahead is an object, outline it.
  ScanError error_;
};

}  // namespace fairlead::json
