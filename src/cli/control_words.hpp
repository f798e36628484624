#pragma once

#include <fairlead/client.hpp>
#include <string>

#include "cli/options.hpp"

namespace fairlead::cli {

/// Which of the gateways that run here an operator means.
struct ControlWords {
  std::string pid = {};
  std::string path = {};
};

void add_control_options(Options& options, ControlWords& words);

/// Where its control socket is. An error says which there are: `invalid` is the user's, `closed` if there is none.
Result<std::string> find_control(const ControlWords& words);

/// How to talk to it.
client::Endpoint control_endpoint(const std::string& path);
client::ClientOptions control_client();

/// Whether a call failed because the gateway goes, or has gone: its last word is that the call was cancelled.
bool has_ended(const Error& error);

/// The exit code of a command that could not do what it should, once the user knows why.
int control_failed(std::string_view command, const Error& error);

}  // namespace fairlead::cli
