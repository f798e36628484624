#pragma once

#include <fairlead/session/service.hpp>
#include <string>

namespace fairlead::gateway {

/// A tool's answer of one text, and of structured content, which is JSON, if there is any.
session::Reply tool_answer(std::string_view text, std::string_view structured = {});

/// A tool that failed, and what the model can do about it.
session::Reply tool_failure_answer(std::string_view why);

}  // namespace fairlead::gateway
