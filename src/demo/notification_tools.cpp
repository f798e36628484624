#include "demo/features.hpp"

namespace fairlead::demo {
namespace {

Task<std::string> log(Arg<"message", std::string, "Text of the message"> message,
                      Arg<"level", std::optional<LoggingLevel>, "Level of the message; info by default"> level,
                      Context& context) {
  co_await context.log(level->value_or(LoggingLevel::info), *message, "demo");
  co_return "Sent, if the client asked for messages of this level";
}

}  // namespace

void add_notification_tools(Server& server) {
  server.tool("log", read_only("Log", "Sends a log message to the client"), log);
  server.tool("fail", read_only("Fail", "Always fails, to show how clients see a failed tool"),
              []() -> Result<std::string> {
                return fail(ErrorKind::invalid, "This tool always fails; nothing is wrong with the server");
              });
}

}  // namespace fairlead::demo
