#pragma once

#include <fairlead/base/result.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/middleware/program.hpp"

/// Between a tool's arguments and a program's.
namespace fairlead::gateway {

/// The names of the long options that a help page tells of, but for help and version.
std::vector<std::string> long_options(std::string_view help);

/// The first line of a help page that says something.
std::string first_sentence(std::string_view help);

/// The tool as `tools/list` shows it.
std::string tool_of_command(std::string_view tool, std::string_view program, std::string_view help);

/// `{"all":true,"depth":2,"_args":["x"]}` is `--all --depth 2 x`.
Result<std::vector<std::string>> words_for(std::string_view arguments);

/// What a program has said, for a model to read.
std::string told(const ProgramOutput& output);

}  // namespace fairlead::gateway
