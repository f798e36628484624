#pragma once

#include <chrono>
#include <fairlead/base/task.hpp>

namespace fairlead::demo {

/// Waits without holding anybody up; ends with an exception when the request is cancelled.
Task<void> pause(std::chrono::milliseconds duration);

}  // namespace fairlead::demo
