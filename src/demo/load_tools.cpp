#include <cstdint>

#include "demo/features.hpp"
#include "demo/samples.hpp"

namespace fairlead::demo {
namespace {

constexpr std::int64_t largest_blob = std::int64_t{1} << 28;
constexpr int most_steps = 1'000'000;

server::ToolOptions harmless(std::string title, std::string description) {
  server::ToolOptions options;
  options.title = std::move(title);
  options.description = std::move(description);
  auto& hints = options.annotations.emplace();
  hints.readOnlyHint = true;
  hints.idempotentHint = true;
  hints.openWorldHint = false;
  options.icons.emplace().push_back({.src = std::string(icon), .mimeType = "image/svg+xml"});
  return options;
}

Result<std::string> blob(Arg<"size", std::int64_t, "How many bytes"> size) {
  if (size < 0 || size > largest_blob) {
    return fail(ErrorKind::invalid, "size: ask for 0 to " + std::to_string(largest_blob) + " bytes");
  }
  return std::string(static_cast<std::size_t>(*size), 'x');
}

Task<Result<std::string>> progress(Arg<"steps", int, "How many progress notices"> steps, Context& context) {
  if (steps < 0 || steps > most_steps) {
    co_return fail(ErrorKind::invalid, "steps: ask for 0 to " + std::to_string(most_steps));
  }
  for (int step = 1; step <= steps; ++step) co_await context.progress(step, *steps);
  co_return std::to_string(*steps) + " steps done";
}

}  // namespace

void add_load_tools(Server& server) {
  server.tool("echo", harmless("Echo", "Gives a text back"),
              [](Arg<"text", std::string, "What to say"> text) { return std::move(text.value); });
  server.tool("blob", harmless("Blob", "Gives a text of so many bytes"), blob);
  server.tool("progress", harmless("Progress", "Sends so many progress notices, then a text"), progress);
}

}  // namespace fairlead::demo
