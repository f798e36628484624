#pragma once

#include <fairlead/base/clock.hpp>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/gateway/middleware.hpp>

namespace fairlead::gateway {

struct PinOptions {
  std::string file = {};   ///< File written by `fairlead pin approve`.
  bool allow_new = false;  ///< Pass tools and prompts that were never approved; changed ones are refused in any case.
  Duration check_interval = std::chrono::seconds{1};  ///< Interval of checks of the file while sessions are open.
};

/// Refuses and hides tools and prompts whose definitions differ from the approved ones. Servers without any approval
/// pass. Put it last in a chain, where names are the server's own.
std::unique_ptr<Middleware> pin(PinOptions options, EventLoop loop);

}  // namespace fairlead::gateway
