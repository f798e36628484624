// Tasks: a slow tool gives its client a handle, asks while it runs, and keeps its state in files.
#include <chrono>
#include <fairlead/client.hpp>
#include <fairlead/server.hpp>
#include <fairlead/server/file_task_store.hpp>
#include <filesystem>
#include <iostream>
#include <unistd.h>

using namespace fairlead;
using namespace std::chrono_literals;

struct Confirm {
  bool yes = false;
};

// One handler for a plain call, a call with input rounds and a task.
Task<std::string> render(Arg<"scene", std::string> scene, Context& context) {
  co_await context.become_task();
  const int frames = co_await context.once("plan", [] { return 24; });
  co_await context.status("rendering " + std::to_string(frames) + " frames");
  const auto answer = co_await context.elicit<Confirm>("This costs 3 EUR. Go on?");
  co_return answer.yes ? *scene + " rendered" : "not rendered";
}

client::ClientOptions options() {
  client::ClientOptions chosen;
  chosen.tasks = true;
  chosen.on_elicit = [](protocol::ElicitFormParams form) {
    std::cout << form.message << " yes\n";
    protocol::ElicitResult result;
    result.action = protocol::ElicitAction::accept;
    result.content = json::Payload::trusted(R"({"yes":true})");
    return result;
  };
  return chosen;
}

int main() {
  const auto folder = std::filesystem::temp_directory_path() / ("fairlead-tasks-" + std::to_string(::getpid()));
  {
    Server app{"studio", "1.0"};
    app.tasks(server::file_task_store(folder));
    ToolOptions tool{.description = "Renders a film"};
    tool.task = {.mode = server::TaskMode::optional, .after = 500ms, .poll = 100ms};
    app.tool("render", tool, render);

    client::Client client(app, options());
    std::cout << client.call<std::string>("render", {{"scene", "1"}}) << '\n';  // Polls until the task has ended.

    const auto reference = client.start("render", {{"scene", "2"}}).reference();
    auto job = client.resume<std::string>(reference);  // Also in another process.
    std::cout << job.wait(1min) << '\n';
  }
  std::filesystem::remove_all(folder);
}
