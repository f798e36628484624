#pragma once

#include <string_view>

#include "gateway/middleware/run_process.hpp"

/// Converts between the arguments of a tool and those of a program.
namespace fairlead::gateway {

/// Names of the long options in a help text, without help and version.
std::vector<std::string> long_options(std::string_view help);

/// First line of a help text that is a description.
std::string first_sentence(std::string_view help);

/// Tool definition for `tools/list`.
std::string tool_of_command(std::string_view tool, std::string_view program, std::string_view help);

/// `{"all":true,"depth":2,"_args":["x"]}` is `--all --depth 2 x`.
Result<std::vector<std::string>> command_arguments(std::string_view arguments);

/// Text result with the output and the exit status.
std::string output_text(const ProcessOutput& output);

}  // namespace fairlead::gateway
