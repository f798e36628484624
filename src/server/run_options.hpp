#pragma once

#include <fairlead/base/debug_switch.hpp>
#include <fairlead/protocol/model/lifecycle.hpp>
#include <fairlead/server/http.hpp>
#include <optional>
#include <string>

namespace fairlead::server {

/// What the command line of a server asks for.
struct RunOptions {
  std::optional<int> exit_code = {};  ///< Nothing is left to do: help was shown, or something was wrong.
  DebugDecision debug = {};
  std::optional<HttpOptions> http = {};  ///< Else on stdin and stdout.
};

RunOptions read_options(const protocol::Implementation& self, int argc, char** argv);

}  // namespace fairlead::server
