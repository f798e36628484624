#include "client/output_schemas.hpp"

#include <utility>

namespace fairlead::client {
namespace {

std::unexpected<Error> schema_violated(const std::string& tool, const std::string& why) {
  return fail(ErrorKind::malformed, "the result of tool '" + tool + "' violates its output schema: " + why);
}

}  // namespace

void OutputSchemas::update(const std::vector<protocol::Tool>& tools) {
  schemas_.clear();
  for (const auto& tool : tools) {
    auto& schema_slot = schemas_[tool.name];
    if (!tool.outputSchema) continue;
    if (auto schema = json::Schema::compile(tool.outputSchema->text())) schema_slot = std::move(*schema);
  }
}

Result<void> OutputSchemas::check(const std::string& tool, const protocol::CallToolResult& result) const {
  const auto found = schemas_.find(tool);
  if (found == schemas_.end() || !found->second || result.isError.value_or(false)) return {};
  if (!result.structuredContent) return schema_violated(tool, "it has no structured content");
  const auto violations = found->second->validate(result.structuredContent->text());
  if (violations.empty()) return {};
  return schema_violated(tool, json::to_string(violations.front()));
}

}  // namespace fairlead::client
