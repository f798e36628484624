#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fairlead::load {

/// What a response must contain besides a result.
struct ExpectedAnswer {
  std::string echo = {};                     ///< Text right before the call id; empty: any text.
  std::optional<std::size_t> progress = {};  ///< Number of progress notifications in the same body.
};

/// The call id in a response or in a stream of events; nothing for a notification.
std::optional<std::uint32_t> answered_id(std::string_view body);

/// Why the response to call `id` is wrong; nothing if it is correct.
std::optional<std::string> answer_problem(const ExpectedAnswer& expected, std::string_view body, std::uint32_t id);

std::size_t count_progress(std::string_view body);

}  // namespace fairlead::load
