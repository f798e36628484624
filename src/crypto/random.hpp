#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace fairlead::crypto {

/// Fills `bytes` with unpredictable bytes of the system. Returns false if the system has none.
bool fill_random(std::span<std::uint8_t> bytes);

/// Returns `count` unpredictable bytes. Throws if the system has none.
std::string random_bytes(std::size_t count);

}  // namespace fairlead::crypto
