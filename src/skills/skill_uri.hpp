#pragma once

#include <string>
#include <string_view>

#include "crypto/digest.hpp"
#include "protocol/uri_characters.hpp"

namespace fairlead::skills {

inline const std::string skill_uri_prefix = "skill://";

/// A path segment, percent-encoded.
inline std::string encode_segment(std::string_view segment) {
  std::string encoded;
  protocol::append_escaped(encoded, segment, false);
  return encoded;
}

/// `sha256:` and 64 lowercase hex digits.
inline std::string digest_of(std::string_view bytes) {
  return "sha256:" + crypto::sha256_hex(bytes);
}

}  // namespace fairlead::skills
