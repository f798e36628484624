#pragma once

#include <cstddef>

namespace fairlead::gateway {

/// The part of a shared limit that one caller may use: three quarters, so that other callers always find some free.
constexpr std::size_t fair_share(std::size_t total) {
  return total - total / 4;
}

}  // namespace fairlead::gateway
