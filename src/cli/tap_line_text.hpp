#pragma once

#include "cli/terminal.hpp"
#include "gateway/control/tap_line.hpp"

namespace fairlead::cli {

struct TapStyle {
  Screen screen = {};
  bool full = false;  ///< Do not truncate bodies.
};

/// One line of text without its newline: time, direction, caller, method and target, status, duration, size, and the
/// start of the body.
std::string to_text(const gateway::TapLine& line, const TapStyle& style);

/// `64 B`, `1.2 kB`, `3.4 MB`.
std::string show_bytes(std::uint64_t bytes);

/// `0.42 ms`, `18.2 ms`, `1.23 s`.
std::string show_milliseconds(double milliseconds);

}  // namespace fairlead::cli
