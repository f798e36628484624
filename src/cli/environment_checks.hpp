#pragma once

#include <string>
#include <vector>

#include "gateway/config/config.hpp"

namespace fairlead::cli {

/// What a look at the machine found.
struct Finding {
  std::string about;
  std::string state;  ///< "ok", "note" or "bad".
  std::string detail;
  std::string fix = {};  ///< What to do about it.
};

Finding check_path();
/// A program that many servers are started with, and its version.
Finding check_program(const std::string& name, const std::string& fix);
Finding check_port(const gateway::ListenConfig& listen);
Finding check_certificates();

}  // namespace fairlead::cli
