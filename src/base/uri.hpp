#pragma once

#include <string>
#include <string_view>

namespace fairlead {

/// Resolves a reference (RFC 3986, section 5.2) and drops its fragment. Does not check characters, so IRIs and relative
/// bases are possible; with an empty base, returns the reference unchanged.
std::string resolve_uri(std::string_view base, std::string_view reference);

/// Replaces percent escapes; keeps invalid ones as they are.
std::string percent_decoded(std::string_view text);

}  // namespace fairlead
