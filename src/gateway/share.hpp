#pragma once

#include <cstddef>

namespace fairlead::gateway {

/// How much of what all callers share one of them may hold: three quarters, so that the others find something free.
constexpr std::size_t share_of_one(std::size_t total) {
  return total - total / 4;
}

}  // namespace fairlead::gateway
