#include <utility>

#include "demo/features.hpp"
#include "demo/sample_media.hpp"

namespace fairlead::demo {

server::ToolOptions read_only(std::string title, std::string description) {
  auto options = changing(std::move(title), std::move(description));
  options.annotations->readOnlyHint = true;
  options.annotations->idempotentHint = true;
  options.annotations->destructiveHint = {};
  return options;
}

server::ToolOptions changing(std::string title, std::string description) {
  server::ToolOptions options;
  options.title = std::move(title);
  options.description = std::move(description);
  auto& hints = options.annotations.emplace();
  hints.readOnlyHint = false;
  hints.destructiveHint = false;
  hints.openWorldHint = false;
  options.icons.emplace().push_back({.src = std::string(icon), .mimeType = "image/svg+xml"});
  return options;
}

}  // namespace fairlead::demo
