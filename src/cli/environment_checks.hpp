#pragma once

#include "gateway/config/config.hpp"

namespace fairlead::cli {

/// The result of one check of this machine. A member of the JSON document.
struct CheckResult {
  std::string about;
  std::string state;  ///< "ok", "note" or "bad".
  std::string detail;
  std::string fix = {};  ///< How to fix it; empty if nothing is wrong.
};

CheckResult check_path();
/// Checks that a program that starts servers is installed, and shows its version.
CheckResult check_program(const std::string& name, const std::string& fix);
CheckResult check_port(const gateway::ListenConfig& listen);
CheckResult check_certificates();

}  // namespace fairlead::cli
