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

/// Runs `work` for each index below `count` concurrently, on a new event loop, and waits for all. Logs only errors.
void run_for_each(std::size_t count, const std::function<Task<void>(EventLoop, std::size_t)>& work);

}  // namespace fairlead::cli
