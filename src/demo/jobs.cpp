#include <algorithm>
#include <fairlead/protocol/fault.hpp>

#include "demo/features.hpp"
#include "demo/pause.hpp"

namespace fairlead::demo {
namespace {

using namespace std::chrono_literals;

struct Deletion {
  bool confirm;
};
struct AskedName {
  std::string name;
};
struct Age {
  int age;
};

std::string greeting(const std::string& name) {
  return "Hello, " + name + "!";
}

Task<Result<std::string>> compute(Arg<"seconds", double, "How long it takes, up to an hour"> seconds,
                                  Arg<"label", std::optional<std::string>, "What to call it"> label, Context& context) {
  if (!(seconds >= 0 && seconds <= 3600)) co_return fail(ErrorKind::invalid, "seconds: ask for 0 to 3600");
  const auto steps = static_cast<int>(std::max(1.0, *seconds * 10));
  for (int step = 1; step <= steps; ++step) {
    if (seconds > 0) co_await pause(std::chrono::milliseconds(static_cast<int>(*seconds * 1000 / steps)));
    co_await context.progress(step, steps);
  }
  co_return label->value_or("computation") + " done";
}

Task<Result<std::string>> fail_late() {
  co_await pause(1s);
  co_return fail(ErrorKind::invalid, "The job failed, as it always does");
}

Result<std::string> break_the_protocol() {
  return std::unexpected(protocol::fault_error(protocol::Fault::internal, "The job ended in an error of the protocol"));
}

Task<std::string> confirm_delete(Arg<"filename", std::string, "Which file"> filename, Context& context) {
  const auto answer = co_await context.elicit<Deletion>("Delete " + *filename + "?", "confirm");
  co_return (answer.confirm ? "Deleted " : "Kept ") + *filename;
}

Task<std::string> ask_two(Context& context) {
  auto name = server::form<AskedName>("What is your name?", "name");
  auto age = server::form<Age>("How old are you?", "age");
  const auto [user, years] = co_await context.all(std::move(name), std::move(age));
  co_return user.name + " is " + std::to_string(years.age);
}

Task<std::string> greet_slowly(Context& context) {
  const auto user = co_await context.elicit<AskedName>("What is your name?", "user_name");
  co_await pause(100ms);
  co_return greeting(user.name);
}

}  // namespace

void add_jobs(Server& server) {
  server.tool("greet", "Greets somebody", [](Arg<"name", std::string, "Whom"> name) { return greeting(*name); });
  server.tool("slow_compute", "Takes its time, reports progress, and can be cancelled", compute);
  server.tool("failing_job", "Fails after a second", fail_late);
  server.tool("protocol_error_job", "Ends in an error of the protocol, not of the tool", break_the_protocol);
  server.tool("confirm_delete", "Pretends to delete a file, after asking", confirm_delete);
  server.tool("multi_input", "Puts two questions at once", ask_two);
  server.tool("test_tool_with_task", "Asks for a name, then works for a while", greet_slowly);
  server.tool("test_reconnection", "Lets its stream go and answers on the next",
              [](Context& context) -> Task<std::string> {
                context.let_go();
                co_await pause(100ms);
                co_return "Reconnection test completed successfully";
              });
}

}  // namespace fairlead::demo
