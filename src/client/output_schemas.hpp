#pragma once

#include <fairlead/json/schema.hpp>
#include <fairlead/protocol/model/tools.hpp>
#include <map>

namespace fairlead::client {

/// The output schemas of the listed tools.
class OutputSchemas {
 public:
  /// Replaces all schemas by those of a tools/list result.
  void update(const std::vector<protocol::Tool>& tools);
  void clear() { schemas_.clear(); }

  bool contains(const std::string& tool) const { return schemas_.contains(tool); }

  /// Validates a result. Tools without a valid schema are not checked.
  Result<void> check(const std::string& tool, const protocol::CallToolResult& result) const;

 private:
  std::map<std::string, std::optional<json::Schema>> schemas_;
};

}  // namespace fairlead::client
