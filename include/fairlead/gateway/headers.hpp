#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/gateway/middleware.hpp>

namespace fairlead::gateway {

struct HeadersOptions {
  std::vector<std::string> callers = {};  ///< Patterns of callers it applies to; empty for all.
  std::vector<std::pair<std::string, std::string>> set = {};
  /// Header name of the client, and header name for the server.
  std::vector<std::pair<std::string, std::string>> forward = {};
};

/// Adds headers to requests to HTTP servers. Each set of headers has its own connections and sessions. Only the headers
/// named here are forwarded from clients.
Result<std::unique_ptr<Middleware>> headers(HeadersOptions options);

}  // namespace fairlead::gateway
