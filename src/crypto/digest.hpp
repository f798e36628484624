#pragma once

#include <string>
#include <string_view>

namespace fairlead::crypto {

/// The SHA-256 of `bytes`: 32 bytes.
std::string sha256(std::string_view bytes);

/// The SHA-256 of `bytes` in lowercase hex, as sha256sum prints it.
std::string sha256_hex(std::string_view bytes);
/// True for a SHA-256 in hex, in any case.
bool is_sha256_hex(std::string_view text);

/// HMAC-SHA-256 (RFC 2104): 32 bytes.
std::string hmac_sha256(std::string_view key, std::string_view bytes);

/// The SHA-1 of `bytes`: 20 bytes. Not collision-resistant: only for the WebSocket handshake, which requires it.
std::string sha1(std::string_view bytes);

}  // namespace fairlead::crypto
