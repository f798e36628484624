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

  /// Public documents, the Host and Origin check, and preflights: the checks that never wait.
  std::optional<Response> refuse_at_once(const Request& request) const;
  /// Returns the error response of the first access check that rejects the request. Ready unless one waits.
  Task<std::optional<Response>> refuse_access(Request& request) const;

 private:
  Task<std::optional<Response>> refuse_later(Request& request, std::size_t next,
                                             Task<std::optional<Response>> first) const;
};

}  // namespace fairlead::http
