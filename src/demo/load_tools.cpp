#include <cstdint>

#include "demo/features.hpp"

namespace fairlead::demo {
namespace {

constexpr std::int64_t max_blob_bytes = std::int64_t{1} << 28;
constexpr int max_steps = 1'000'000;

Result<std::string> blob(Arg<"size", std::int64_t, "Size in bytes"> size) {
  if (size < 0 || size > max_blob_bytes) {
    return fail(ErrorKind::invalid, "size: expected 0 to " + std::to_string(max_blob_bytes) + " bytes");
  }
  return std::string(static_cast<std::size_t>(*size), 'x');
}

Task<Result<std::string>> progress(Arg<"steps", int, "Number of progress notifications"> steps, Context& context) {
  if (steps < 0 || steps > max_steps) {
    co_return fail(ErrorKind::invalid, "steps: expected 0 to " + std::to_string(max_steps));
  }
  for (int step = 1; step <= steps; ++step) co_await context.progress(step, *steps);
  co_return std::to_string(*steps) + " steps done";
}

}  // namespace

void add_load_tools(Server& server) {
  server.tool("echo", read_only("Echo", "Returns the given text"),
              [](Arg<"text", std::string, "Text to return"> text) { return std::move(text.value); });
  server.tool("blob", read_only("Blob", "Returns a text of the given size, for load tests"), blob);
  server.tool("progress", read_only("Progress", "Reports progress in the given number of steps"), progress);
}

}  // namespace fairlead::demo
