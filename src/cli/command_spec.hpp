#pragma once

#include <string>
#include <vector>

namespace fairlead::cli {

/// An option or positional argument of a command.
struct OptionSpec {
  std::vector<std::string> names = {};  ///< `-c` and `--config`.
  std::string value = {};  ///< Placeholder such as `<file>`, or choices such as `bash|zsh`; empty if it takes no value.
  std::string help = {};
  bool is_positional = false;

  /// `-p, --port <port>`.
  std::string title() const;
};

/// What a command declares, for completions and the manual page.
struct CommandSpec {
  std::string name = {}, summary = {};  ///< Empty for the form without a command name.
  std::string usage = {}, description = {}, examples = {};
  std::vector<OptionSpec> options = {};
};

}  // namespace fairlead::cli
