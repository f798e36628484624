#pragma once

#include <fairlead/session/service.hpp>

namespace fairlead::gateway {

/// Tool result with a text, and with structured content (JSON) if any.
session::Reply text_result(std::string_view text, std::string_view structured = {});

/// Tool result with `isError` that tells the model what to do.
session::Reply tool_error_result(std::string_view why);

}  // namespace fairlead::gateway
