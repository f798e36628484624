#include "demo/async_sleep.hpp"
#include "demo/features.hpp"

namespace fairlead::demo {
namespace {

using namespace std::chrono_literals;

Task<std::string> report_progress(Context& context) {
  co_await context.progress(0, 100, "started");
  co_await async_sleep(50ms);
  co_await context.progress(50, 100, "half way");
  co_await async_sleep(50ms);
  co_await context.progress(100, 100, "done");
  co_return "Tool with progress executed successfully";
}

Task<std::string> log_three_times(Context& context) {
  co_await context.log(LoggingLevel::info, "Tool execution started", "demo");
  co_await async_sleep(50ms);
  co_await context.log(LoggingLevel::info, "Tool processing data", "demo");
  co_await async_sleep(50ms);
  co_await context.log(LoggingLevel::info, "Tool execution completed", "demo");
  co_return "Tool with logging executed successfully";
}

Task<std::string> log_every_level(Context& context) {
  for (const auto name : json::Enumerators<LoggingLevel>::names) {
    const auto level = *json::decode<LoggingLevel>(json::encode(std::string(name)));
    co_await context.log(level, "a message of the level " + std::string(name), "demo");
  }
  co_return "Tried every level";
}

}  // namespace

void add_notification_tools(Server& server) {
  server.tool("test_tool_with_progress", "Reports its progress three times", report_progress);
  server.tool("test_tool_with_logging", "Logs three times while it works", log_three_times);
  server.tool("test_logging_tool", "Logs once on every level", log_every_level);
}

}  // namespace fairlead::demo
