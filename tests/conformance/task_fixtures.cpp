#include "task_fixtures.hpp"

#include <chrono>
#include <fairlead/protocol/protocol_error.hpp>
#include <string>
#include <utility>

#include "demo/async_sleep.hpp"

namespace {

using namespace fairlead;
using namespace std::chrono_literals;
using demo::async_sleep;
using server::TaskMode;
using server::TaskPolicy;

struct Deletion {
  bool confirm;
};
struct NameForm {
  std::string name;
};
struct Person {
  std::string name;
  bool confirm;
};

Task<Result<std::string>> compute(Arg<"seconds", double> seconds, Arg<"label", std::optional<std::string>> label) {
  if (!(seconds >= 0 && seconds <= 3600)) co_return fail(ErrorKind::invalid, "seconds: expected 0 to 3600");
  if (seconds > 0) co_await async_sleep(std::chrono::milliseconds(static_cast<int>(*seconds * 1000)));
  co_return label->value_or("computation") + " done";
}

Task<Result<std::string>> fail_late() {
  co_await async_sleep(200ms);
  co_return fail(ErrorKind::invalid, "The job failed, as intended");
}

Task<Result<std::string>> end_with_protocol_error() {
  co_await async_sleep(10ms);
  co_return std::unexpected(
      protocol::protocol_error(protocol::ProtocolError::internal, "The job ended with a protocol error"));
}

Task<std::string> confirm_delete(Arg<"filename", std::string> filename, Context& context) {
  const auto answer = co_await context.elicit<Deletion>("Delete " + *filename + "?", "confirm");
  co_return (answer.confirm ? "Deleted " : "Kept ") + *filename;
}

Task<std::string> ask_two(Context& context) {
  auto first = server::elicit_form<Person>("Who is first?", "first");
  auto second = server::elicit_form<Person>("Who is second?", "second");
  const auto [one, other] = co_await context.request_all(std::move(first), std::move(second));
  co_return one.name + " and " + other.name;
}

Task<std::string> greet_in_task(Context& context) {
  const auto user = co_await context.elicit<NameForm>("What is your name?", "user_name");
  co_await context.become_task();
  co_await async_sleep(50ms);
  co_return "Hello, " + user.name + "!";
}

ToolOptions options(std::string description, TaskMode mode, Duration after = Duration::zero()) {
  ToolOptions chosen{.description = std::move(description)};
  chosen.task = {.mode = mode, .after = after};
  return chosen;
}

}  // namespace

void add_task_fixtures(Server& server) {
  for (const auto* name :
       {"slow_compute", "failing_job", "protocol_error_job", "confirm_delete", "multi_input", "test_tool_with_task"}) {
    server.remove_tool(name);
  }
  server.tool("slow_compute", options("Sleeps for the given time", TaskMode::optional, 500ms), compute);
  server.tool("failing_job", options("Fails after a moment", TaskMode::required), fail_late);
  server.tool("protocol_error_job", options("Ends with a protocol error", TaskMode::optional), end_with_protocol_error);
  server.tool("confirm_delete", options("Pretends to delete a file, after asking", TaskMode::optional), confirm_delete);
  server.tool("multi_input", options("Asks two questions at once", TaskMode::optional), ask_two);
  server.tool("test_tool_with_task", options("Elicits a name, then works", TaskMode::optional, TaskPolicy::by_hand),
              greet_in_task);
}
