#pragma once

#include <fairlead/base/debug_options.hpp>
#include <fairlead/protocol/model/lifecycle.hpp>
#include <fairlead/server/http.hpp>

namespace fairlead::server {

/// The parsed command line of a server.
struct RunOptions {
  std::optional<int> exit_code = {};  ///< Set if the program should exit: after help or a usage error.
  DebugDecision debug = {};
  std::optional<HttpOptions> http = {};  ///< Nothing: serve on stdin and stdout.
};

RunOptions read_options(const protocol::Implementation& self, int argc, char** argv);

}  // namespace fairlead::server
