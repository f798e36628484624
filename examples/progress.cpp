// Long-running handlers: progress, log messages and cancellation, in a coroutine and in a blocking handler.
#include <atomic>
#include <fairlead/client.hpp>
#include <fairlead/server.hpp>
#include <iostream>

using namespace fairlead;

int main() {
  Server app{"worker", "1.0"};

  app.tool("count", "Counts", [](Arg<"to", int> to, Context& context) -> Task<int> {
    for (int i = 1; i <= to; ++i) {
      co_await context.progress(i, *to, "counted to " + std::to_string(i));
      co_await context.log(LoggingLevel::info, "at " + std::to_string(i));
    }
    co_return *to;
  });

  // Runs on the server's thread pool, so it may block. `wait` runs a task on the event loop.
  app.tool("crunch", "Computes until cancelled", blocking([](Arg<"steps", int> steps, Context& context) {
             int done = 0;
             while (done < steps && !context.cancelled()) context.wait(context.progress(++done, *steps));
             return done;
           }));

  std::atomic<int> logged = 0;
  ClientOptions options;
  options.on_log = [&](const auto& message) {
    std::cout << "log: " << message.data.text() << '\n';
    ++logged;
  };
  auto client = connect(app, options);
  client.set_log_level(LoggingLevel::info);
  const auto show = [](const auto& progress) { std::cout << progress.message.value_or("") << '\n'; };
  std::cout << client.call<int>("count", {{"to", 3}}, {.on_progress = show}) << '\n';

  std::stop_source stop;
  auto crunching = client.async().call<int>("crunch", {{"steps", 1'000'000'000}},
                                            {.on_progress = [&](const auto&) { stop.request_stop(); }});
  const auto result = client.wait(std::move(crunching), stop.get_token());
  std::cout << (result ? "finished" : result.error().message) << '\n';
  return logged == 3 && !result && result.error().kind == ErrorKind::cancelled ? 0 : 1;
}
