#pragma once

#include "cli/control_options.hpp"
#include "cli/terminal.hpp"
#include "gateway/control/control_report.hpp"

namespace fairlead::cli {

struct LiveStatusOptions {
  ControlOptions gateway = {};
  bool watch = false;
  bool json = false;
};

/// Shows the state of a running gateway, once or repeatedly. Returns the exit code.
int show_live_status(const LiveStatusOptions& flags);

/// One line for the gateway and one for each server.
std::string to_text(const gateway::GatewayReport& report, const Screen& screen);

}  // namespace fairlead::cli
