#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/session/service.hpp>

namespace fairlead::gateway {

/// Serves `subscriptions/listen`: opens a session in the chain for the stream, subscribes to the requested resources
/// and forwards the requested notifications until the client disconnects.
Task<Result<session::Reply>> serve_subscription_stream(EventLoop loop, session::Call& call, session::Service& next);

}  // namespace fairlead::gateway
