#pragma once

#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "interop/peer.hpp"

namespace fairlead::interop {

/// Runs a script of this directory and returns what it prints.
inline std::string run_node(const std::string& script, const std::vector<std::string>& arguments) {
  std::string command = "'" + node().string() + "' '" + (fs::path(FAIRLEAD_INTEROP) / script).string() + "'";
  for (const auto& argument : arguments) command += " '" + argument + "'";
  std::string printed;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return printed;
  std::array<char, 4096> piece{};
  for (std::size_t size = 0; (size = std::fread(piece.data(), 1, piece.size(), pipe)) > 0;) {
    printed.append(piece.data(), size);
  }
  ::pclose(pipe);
  return printed;
}

}  // namespace fairlead::interop
