#pragma once

#include <string_view>

namespace fairlead::cli {

/// The exit code: output that nobody received, on a full disk or a closed pipe, is a failure.
int print(std::string_view text);

/// One line for the user, on stderr.
void complain(std::string_view line);

}  // namespace fairlead::cli
