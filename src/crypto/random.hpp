#pragma once

#include <cstdint>
#include <span>

namespace fairlead::crypto {

/// Fills `bytes` with unpredictable bytes of the system. Returns false if the system has none.
bool fill_random(std::span<std::uint8_t> bytes);

}  // namespace fairlead::crypto
