#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/redact/hidden_span.hpp"

namespace fairlead::redact {

/// Finds known values in `text`, written plainly, JSON-escaped, percent-encoded, or several of these.
void find_values(std::string_view text, const std::vector<std::string>& values, HiddenSpans& spans);

}  // namespace fairlead::redact
