#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/task.hpp>
#include <functional>

namespace fairlead {
class LogSink;
}

namespace fairlead::cli {

/// Runs a task on a new event loop and returns its exit code.
int run_loop(LogSink& log, const std::function<Task<int>(EventLoop)>& work);

}  // namespace fairlead::cli
