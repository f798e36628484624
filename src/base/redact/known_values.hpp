#pragma once

#include "base/redact/redacted_span.hpp"

namespace fairlead::redact {

/// Finds known values in `text`: verbatim, JSON-escaped, percent-encoded, or a combination of these.
void find_known_values(std::string_view text, const std::vector<std::string>& values, RedactedSpans& spans);

}  // namespace fairlead::redact
