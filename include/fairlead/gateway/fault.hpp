#pragma once

#include <cstdint>
#include <fairlead/base/clock.hpp>
#include <fairlead/base/loop.hpp>
#include <fairlead/gateway/middleware.hpp>
#include <memory>
#include <string>
#include <vector>

namespace fairlead::gateway {

/// What goes wrong, and how often: 0 never, 1 always.
struct FaultOptions {
  Duration latency = {};                ///< Before every request,
  Duration jitter = {};                 ///< and up to so much more.
  Duration slow = {};                   ///< Before each notice of a request and its answer, as on a slow stream.
  double drop = 0;                      ///< No answer ever comes: the caller runs out of patience.
  double wrong_id = 0;                  ///< The request is made, but its answer is for nobody.
  double error = 0;                     ///< The way to the server breaks, as by HTTP 503; the request is not made.
  double truncate = 0;                  ///< The request is made, and its answer ends in the middle.
  double reorder = 0;                   ///< The answer is overtaken by the next one, or comes a second late.
  std::vector<std::string> tools = {};  ///< Patterns; without them everything but introductions is concerned.
  std::uint64_t seed = 1;               ///< The same seed and the same requests, the same faults.
};

/// Makes a way that works into one that does not, for tests.
std::unique_ptr<Middleware> fault(FaultOptions options, Loop loop);

}  // namespace fairlead::gateway
