#pragma once

#include <fairlead/base/loop.hpp>
#include <fairlead/base/task.hpp>
#include <functional>

namespace fairlead {
class LogSink;
}

namespace fairlead::cli {

/// Runs one task on a loop of its own and returns what it returned, an exit code.
int run_loop(LogSink& log, const std::function<Task<int>(Loop)>& work);

}  // namespace fairlead::cli
