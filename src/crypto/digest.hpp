#pragma once

#include <string>
#include <string_view>

namespace fairlead::crypto {

/// The SHA-256 of `bytes`: 32 bytes.
std::string sha256(std::string_view bytes);

}  // namespace fairlead::crypto
