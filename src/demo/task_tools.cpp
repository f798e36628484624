#include <algorithm>
#include <chrono>

#include "demo/async_sleep.hpp"
#include "demo/features.hpp"

namespace fairlead::demo {
namespace {

using namespace std::chrono_literals;

constexpr int max_seconds = 3600;

Task<Result<std::string>> work(Arg<"seconds", double, "How long, at most 3600"> seconds, Context& context) {
  if (!(seconds >= 0 && seconds <= max_seconds)) {
    co_return fail(ErrorKind::invalid, "seconds: expected 0 to " + std::to_string(max_seconds));
  }
  const int steps = std::max(1, static_cast<int>(*seconds));
  const auto pause = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::duration<double>(*seconds));
  for (int step = 1; step <= steps; ++step) {
    co_await async_sleep(pause / steps);
    co_await context.progress(step, steps, "step " + std::to_string(step) + " of " + std::to_string(steps));
  }
  co_return "The work is done";
}

}  // namespace

void add_task_tools(Server& server) {
  auto options = read_only("Work", "Takes its time; a client that supports tasks gets a handle after half a second");
  options.task = {.mode = server::TaskMode::optional, .after = 500ms};
  server.tool("work", std::move(options), work);
}

}  // namespace fairlead::demo
