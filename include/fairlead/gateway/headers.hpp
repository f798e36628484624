#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/gateway/middleware.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fairlead::gateway {

class HeaderSets;

struct HeadersOptions {
  std::vector<std::string> who = {};  ///< Patterns for principals; without them it is for everybody.
  std::vector<std::pair<std::string, std::string>> set = {};
  /// What a client calls a header, and what it is called on the way to the server.
  std::vector<std::pair<std::string, std::string>> forward = {};
};

/// Has requests to HTTP servers carry these headers. A set of headers has connections and sessions of its own. `sets`
/// is the gateway's. Of what a client says, only what is named here is ever a header.
Result<std::unique_ptr<Middleware>> headers(HeadersOptions options, std::shared_ptr<HeaderSets> sets);

}  // namespace fairlead::gateway
