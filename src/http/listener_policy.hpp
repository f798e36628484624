#pragma once

#include <atomic>
#include <cstddef>
#include <fairlead/http/cors.hpp>
#include <fairlead/http/handler.hpp>
#include <fairlead/http/host_origin_check.hpp>
#include <fairlead/http/limits.hpp>
#include <fairlead/http/tls.hpp>
#include <memory>
#include <optional>
#include <vector>

namespace fairlead::http {

/// Configuration that all workers of a listener share. Only `connections` changes.
struct ListenerPolicy {
  Limits limits;
  HostOriginCheck host_origin;
  Cors cors;
  std::vector<std::shared_ptr<const AccessCheck>> access_checks;
  std::optional<TlsServer> tls;
  std::atomic<std::size_t> connections = 0;

  /// Returns the error response of the first check that rejects the request.
  std::optional<Response> refuse(Request& request) const;
};

}  // namespace fairlead::http
