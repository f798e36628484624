#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace fairlead::crypto {

/// Compares secrets of the same size in a time that does not depend on their bytes.
bool equal_in_constant_time(std::string_view left, std::string_view right);

/// Overwrites a secret, also where the compiler sees that it is not read again.
void wipe(std::span<std::uint8_t> bytes);
void wipe(std::string& text);

}  // namespace fairlead::crypto
