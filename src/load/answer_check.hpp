#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fairlead::load {

/// What an answer must hold besides a result.
struct Expectation {
  std::string echo = {};                     ///< Stands right before the call's number in the text; empty for any text.
  std::optional<std::size_t> progress = {};  ///< So many notifications before it, where they come in one body.
};

/// The number of the call that a message answers, or that events in it answer; nothing for a notification.
std::optional<std::uint32_t> answered_id(std::string_view body);

/// Why an answer to `id` is not what was asked for; nothing if it is.
std::optional<std::string> answer_problem(const Expectation& expected, std::string_view body, std::uint32_t id);

std::size_t count_progress(std::string_view body);

}  // namespace fairlead::load
