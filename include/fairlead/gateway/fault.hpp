#pragma once

#include <fairlead/base/clock.hpp>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/gateway/middleware.hpp>

namespace fairlead::gateway {

/// Faults to inject; probabilities from 0 to 1.
struct FaultOptions {
  Duration latency = {};                ///< Delay of every request.
  Duration jitter = {};                 ///< Random addition to the delay, at most.
  Duration slow = {};                   ///< Delay before each notification of a request and before its reply.
  double drop = 0;                      ///< The request is not sent; the call times out.
  double wrong_id = 0;                  ///< The request is sent, but its reply is discarded; the call times out.
  double error = 0;                     ///< The call fails like an HTTP 503; the request is not sent.
  double truncate = 0;                  ///< The request is sent, but its reply is cut off.
  double reorder = 0;                   ///< The reply is held until the next reply has passed, at most 1 s.
  std::vector<std::string> tools = {};  ///< Patterns of tools; empty for all methods but initialize and discover.
  std::uint64_t seed = 1;               ///< Same seed and same requests, same faults.
};

/// Injects faults, for tests.
std::unique_ptr<Middleware> fault(FaultOptions options, EventLoop loop);

}  // namespace fairlead::gateway
