#include "client/output_schemas.hpp"

#include <utility>

namespace fairlead::client {
namespace {

std::unexpected<Error> broken(const std::string& tool, const std::string& why) {
  return fail(ErrorKind::malformed, "the server broke its promise about the tool '" + tool + "': " + why);
}

}  // namespace

void OutputSchemas::learn(const std::vector<protocol::Tool>& tools) {
  promises_.clear();
  for (const auto& tool : tools) {
    auto& promise = promises_[tool.name];
    if (!tool.outputSchema) continue;
    if (auto schema = json::Schema::compile(tool.outputSchema->text())) promise = std::move(*schema);
  }
}

Result<void> OutputSchemas::check(const std::string& tool, const protocol::CallToolResult& result) const {
  const auto found = promises_.find(tool);
  if (found == promises_.end() || !found->second || result.isError.value_or(false)) return {};
  if (!result.structuredContent) return broken(tool, "its result has no structured content");
  const auto violations = found->second->validate(result.structuredContent->text());
  if (violations.empty()) return {};
  return broken(tool, json::to_string(violations.front()));
}

}  // namespace fairlead::client
