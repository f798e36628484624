#pragma once

#include <string>
#include <vector>

#include "cli/commands.hpp"

namespace fairlead::cli {

/// An option of a command, or one of its words.
struct OutlinedOption {
  std::vector<std::string> names = {};  ///< `-c` and `--config`.
  std::string value = {};               ///< `<file>`, or choices as in `bash|zsh`; empty if it takes none.
  std::string help = {};
  bool is_word = false;
};

/// What a command says of itself, for completions and the manual.
struct Outline {
  std::string usage = {}, summary = {}, examples = {};
  std::vector<OutlinedOption> options = {};
};

/// Asks the command itself, so that nothing written from it can be out of date. Every command parses its words before
/// it does anything else.
Outline outline_of(int (*command)(const Words&));

/// The choices of an option that has some.
std::vector<std::string> choices_of(const OutlinedOption& option);

}  // namespace fairlead::cli
