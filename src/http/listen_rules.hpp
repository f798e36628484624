#pragma once

#include <atomic>
#include <cstddef>
#include <fairlead/http/cors.hpp>
#include <fairlead/http/guard.hpp>
#include <fairlead/http/handler.hpp>
#include <fairlead/http/limits.hpp>
#include <fairlead/http/tls.hpp>
#include <memory>
#include <optional>
#include <vector>

namespace fairlead::http {

/// What all workers of a listener share. Nothing in it changes but the count.
struct ListenRules {
  Limits limits;
  Guard guard;
  Cors cors;
  std::vector<std::shared_ptr<const Gate>> gates;
  std::optional<TlsServer> tls;
  std::atomic<std::size_t> connections = 0;

  /// The answer to those who do not get as far as the handler.
  std::optional<Response> refuse(Request& request) const;
};

}  // namespace fairlead::http
