#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/server.hpp>
#include <fairlead/server/file_task_store.hpp>
#include <fcntl.h>
#include <iostream>
#include <string>
#include <unistd.h>

/// A server with tasks in files, for task_kill_test.py: task_server <folder of tasks> <file of effects>.
namespace {

using namespace fairlead;

// One write, which a killed process makes whole or not at all.
int append(const char* path, const std::string& line) {
  const int file = ::open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  const auto written = ::write(file, line.data(), line.size());
  ::close(file);
  return static_cast<int>(written);
}

Task<void> pause(int milliseconds) {
  boost::asio::steady_timer timer(co_await this_task::executor, std::chrono::milliseconds(milliseconds));
  co_await timer.async_wait(use_task);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: task_server <folder of tasks> <file of effects> [option of Server::run…]\n";
    return 2;
  }
  const char* effects = argv[2];
  Server app("task-server", "1.0");
  server::ToolOptions work;
  work.task = {.mode = server::TaskMode::required};
  app.tool("work", work, [effects](Arg<"name", std::string> name, Context& context) -> Task<std::string> {
    for (const std::string step : {"first", "second", "third"}) {
      const auto effect = [&] { return append(effects, *name + " " + step + "\n"); };
      co_await context.once(step, effect);
      co_await context.status("after " + step);
      co_await pause(5);
    }
    co_return *name + " done";
  });
  app.tasks(server::file_task_store(argv[1]), {.limits = {.per_caller = 1000}});
  argv[2] = argv[0];
  return app.run(argc - 2, argv + 2);
}
