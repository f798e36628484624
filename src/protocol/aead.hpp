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

/// Nonce, ciphertext and tag in one, by AES-256-GCM. Throws if the machine has no randomness or no cipher.
std::string encrypt(const AeadKey& key, std::string_view plain, std::string_view associated);

/// Nothing if a bit of `sealed` or `associated` is not as encrypt() had it.
std::optional<std::string> decrypt(const AeadKey& key, std::string_view sealed, std::string_view associated);

/// False if the machine has none to give.
bool fill_random(std::span<std::uint8_t> bytes);

std::string sha256(std::string_view bytes);
bool equal_in_constant_time(std::string_view left, std::string_view right);
void wipe(std::span<std::uint8_t> bytes);
void wipe(std::string& text);

}  // namespace fairlead::protocol
