#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <lua.hpp>
#include <string_view>
#include <vector>

namespace fairlead::gateway::lua {

/// A Lua pattern (manual, section 6.4.1) as a list of items.
class Pattern {
 public:
  static constexpr std::size_t longest = 65'536;  ///< Bytes.
  static constexpr std::size_t max_captures = 32;

  enum class Kind : std::uint8_t {
    literal,
    any,
    character_class,
    one_of,
    open,
    position,
    close,
    back_reference,
    balanced,
    frontier,
    end
  };
  struct Item {
    Kind kind = Kind::literal;
    char repeat = 0;           ///< One of `*`, `+`, `-`, `?`, or 0. Only for items that match one character.
    unsigned char first = 0;   ///< The character, the letter of a class, or the number of a capture.
    unsigned char second = 0;  ///< The closing character of a balanced pair.
    std::uint32_t set = 0;     ///< Index of the set of `one_of` and `frontier`.
  };

  /// Raises a Lua error for a malformed pattern. Without `anchors`, a leading `^` is a literal.
  Pattern(lua_State* state, std::string_view text, bool anchors);

  bool anchored() const { return anchored_; }
  std::size_t captures() const { return captures_; }
  const std::vector<Item>& items() const { return items_; }
  /// True if a single-character item matches `c`.
  bool fits(const Item& item, unsigned char c) const;
  bool in_set(const Item& item, unsigned char c) const { return sets_[item.set][c]; }

 private:
  void read_item();
  void read_escape();
  void read_single();
  void read_repeat(Item item);
  void open_capture();
  void close_capture();
  void refer_back(char digit);
  std::uint32_t read_set();
  void add_range(std::bitset<256>& set, unsigned char first, unsigned char last);
  char next(const char* what);

  lua_State* state_;
  std::string_view text_;
  std::size_t at_ = 0;
  bool anchored_ = false;
  std::size_t captures_ = 0;
  std::vector<unsigned char> open_;  // Captures that are not closed yet.
  std::vector<Item> items_;
  std::vector<std::bitset<256>> sets_;
};

}  // namespace fairlead::gateway::lua
