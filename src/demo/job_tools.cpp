#include <algorithm>
#include <fairlead/protocol/protocol_error.hpp>

#include "demo/async_sleep.hpp"
#include "demo/features.hpp"

namespace fairlead::demo {
namespace {

using namespace std::chrono_literals;

struct Deletion {
  bool confirm;
};
struct NameForm {
  std::string name;
};
struct Age {
  int age;
};

std::string greeting(const std::string& name) {
  return "Hello, " + name + "!";
}

Task<Result<std::string>> compute(Arg<"seconds", double, "Duration in seconds, at most 3600"> seconds,
                                  Arg<"label", std::optional<std::string>, "Name of the job"> label, Context& context) {
  if (!(seconds >= 0 && seconds <= 3600)) co_return fail(ErrorKind::invalid, "seconds: expected 0 to 3600");
  const auto steps = static_cast<int>(std::max(1.0, *seconds * 10));
  for (int step = 1; step <= steps; ++step) {
    if (seconds > 0) co_await async_sleep(std::chrono::milliseconds(static_cast<int>(*seconds * 1000 / steps)));
    co_await context.progress(step, steps);
  }
  co_return label->value_or("computation") + " done";
}

Task<Result<std::string>> fail_late() {
  co_await async_sleep(1s);
  co_return fail(ErrorKind::invalid, "The job failed, as intended");
}

Result<std::string> fail_with_protocol_error() {
  return std::unexpected(
      protocol::protocol_error(protocol::ProtocolError::internal, "The job ended with a protocol error"));
}

Task<std::string> confirm_delete(Arg<"filename", std::string, "Name of the file"> filename, Context& context) {
  const auto answer = co_await context.elicit<Deletion>("Delete " + *filename + "?", "confirm");
  co_return (answer.confirm ? "Deleted " : "Kept ") + *filename;
}

Task<std::string> ask_two(Context& context) {
  auto name = server::elicit_form<NameForm>("What is your name?", "name");
  auto age = server::elicit_form<Age>("How old are you?", "age");
  const auto [user, years] = co_await context.request_all(std::move(name), std::move(age));
  co_return user.name + " is " + std::to_string(years.age);
}

Task<std::string> greet_slowly(Context& context) {
  const auto user = co_await context.elicit<NameForm>("What is your name?", "user_name");
  co_await async_sleep(100ms);
  co_return greeting(user.name);
}

}  // namespace

void add_job_tools(Server& server) {
  server.tool("greet", "Returns a greeting", [](Arg<"name", std::string, "Whom"> name) { return greeting(*name); });
  server.tool("slow_compute", "Runs for the given time, reports progress, can be cancelled", compute);
  server.tool("failing_job", "Fails after a second", fail_late);
  server.tool("protocol_error_job", "Returns a protocol error instead of a tool error", fail_with_protocol_error);
  server.tool("confirm_delete", "Pretends to delete a file, after asking", confirm_delete);
  server.tool("multi_input", "Sends two input requests in one round", ask_two);
  server.tool("test_tool_with_task", "Elicits a name, then works for 100 ms", greet_slowly);
  server.tool("test_reconnection", "Releases its stream and answers on the next one",
              [](Context& context) -> Task<std::string> {
                context.release_stream();
                co_await async_sleep(100ms);
                co_return "Reconnection test completed successfully";
              });
}

}  // namespace fairlead::demo
