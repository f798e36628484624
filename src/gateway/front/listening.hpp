#pragma once

#include <fairlead/base/loop.hpp>
#include <fairlead/session/service.hpp>

namespace fairlead::gateway {

/// Serves `subscriptions/listen` on top of a chain that knows conversations: opens one for the stream, follows the
/// resources in it, and passes on what of it was asked for.
Task<Result<session::Reply>> listen(Loop loop, session::Call& call, session::Service& next);

}  // namespace fairlead::gateway
