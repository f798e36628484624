#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fairlead::crypto {

constexpr std::size_t nonce_size = 12;
constexpr std::size_t tag_size = 16;

using AeadKey = std::array<std::uint8_t, 32>;

/// Encrypts with AES-256-GCM; returns nonce, ciphertext and tag. Throws if no random bytes or no cipher is available.
std::string encrypt(const AeadKey& key, std::string_view plain, std::string_view associated);

/// Encrypts with a given nonce of `nonce_size` bytes. Two different texts with the same key and nonce disclose both:
/// derive the nonce from the text and `associated`.
std::string encrypt_with_nonce(const AeadKey& key, std::string_view nonce, std::string_view plain,
                               std::string_view associated);

/// Returns nothing if `sealed` or `associated` was changed since encrypt().
std::optional<std::string> decrypt(const AeadKey& key, std::string_view sealed, std::string_view associated);

}  // namespace fairlead::crypto
