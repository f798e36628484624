#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace fairlead::protocol {

constexpr std::size_t nonce_size = 12;
constexpr std::size_t tag_size = 16;

using AeadKey = std::array<std::uint8_t, 32>;

/// Encrypts with AES-256-GCM; returns nonce, ciphertext and tag. Throws if no random bytes or no cipher is available.
std::string encrypt(const AeadKey& key, std::string_view plain, std::string_view associated);

/// Returns nothing if `sealed` or `associated` was changed since encrypt().
std::optional<std::string> decrypt(const AeadKey& key, std::string_view sealed, std::string_view associated);

/// Returns false if the system has no random bytes.
bool fill_random(std::span<std::uint8_t> bytes);

std::string sha256(std::string_view bytes);
bool equal_in_constant_time(std::string_view left, std::string_view right);
void wipe(std::span<std::uint8_t> bytes);
void wipe(std::string& text);

}  // namespace fairlead::protocol
