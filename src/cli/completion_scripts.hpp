#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/outline.hpp"

/// Scripts that teach a shell to complete our words.
namespace fairlead::cli {

struct OutlinedCommand {
  std::string name, summary;
  Outline outline;
};

/// All commands of the table.
std::vector<OutlinedCommand> outlined_commands();

std::string bash_script(const std::vector<OutlinedCommand>& commands);
std::string zsh_script(const std::vector<OutlinedCommand>& commands);
std::string fish_script(const std::vector<OutlinedCommand>& commands);

}  // namespace fairlead::cli
