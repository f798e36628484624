#pragma once

#include <string>

#include "cli/control_words.hpp"
#include "cli/terminal.hpp"
#include "gateway/control/control_report.hpp"

namespace fairlead::cli {

struct LiveWords {
  ControlWords gateway = {};
  bool watch = false;
  bool json = false;
};

/// Shows how a gateway that runs is doing, once or again and again; the exit code.
int show_live(const LiveWords& words);

/// The gateway in a line, and each server in one.
std::string show(const gateway::GatewayReport& report, const Screen& screen);

}  // namespace fairlead::cli
