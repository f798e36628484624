#pragma once

#include <chrono>
#include <fairlead/base/task.hpp>

namespace fairlead::demo {

/// Waits without blocking the event loop. Throws when the request is cancelled.
Task<void> async_sleep(std::chrono::milliseconds duration);

}  // namespace fairlead::demo
