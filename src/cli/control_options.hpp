#pragma once

#include <fairlead/client.hpp>

#include "cli/options.hpp"

namespace fairlead::cli {

/// Options that select a running gateway.
struct ControlOptions {
  std::string pid = {};
  std::string path = {};
};

void add_control_options(Options& options, ControlOptions& flags);

/// Path of the selected gateway's control socket. The error is `invalid` if several gateways run and none is selected,
/// `closed` if none runs; its message lists the candidates.
Result<std::string> find_control_socket(const ControlOptions& flags);

/// Endpoint and client options for a control socket.
client::Endpoint control_endpoint(const std::string& path);
client::ClientOptions control_client_options();

/// Whether a call failed because the gateway stopped. A stopping gateway cancels its calls.
bool gateway_has_stopped(const Error& error);

/// Prints the error of a control command and returns the exit code.
int report_control_error(std::string_view command, const Error& error);

}  // namespace fairlead::cli
