#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::load {

/// Placeholder of the call id in a pattern.
inline constexpr std::string_view id_mark = "{id}";

/// First call id: ids have nine digits, so that the length of a request is constant.
inline constexpr std::uint32_t first_id = 100'000'000;
inline constexpr std::size_t id_digits = 9;

/// Size of a pattern after its placeholders are replaced.
std::size_t filled_size(std::string_view pattern);

/// A request in wire format, built once from a pattern; with() only changes the digits of the id.
class RequestText {
 public:
  explicit RequestText(std::string_view pattern);

  /// Valid until the next call.
  std::string_view with(std::uint32_t id);

 private:
  std::string text_;
  std::vector<std::size_t> id_offsets_;
};

}  // namespace fairlead::load
