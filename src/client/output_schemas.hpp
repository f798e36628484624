#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/json/schema.hpp>
#include <fairlead/protocol/model/tools.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fairlead::client {

/// What tools have promised of their results.
class OutputSchemas {
 public:
  /// Replaces what was known by a list of the server's.
  void learn(const std::vector<protocol::Tool>& tools);
  void forget() { promises_.clear(); }

  bool knows(const std::string& tool) const { return promises_.contains(tool); }

  /// An error says what the server broke. A schema that is none binds nobody.
  Result<void> check(const std::string& tool, const protocol::CallToolResult& result) const;

 private:
  std::map<std::string, std::optional<json::Schema>> promises_;
};

}  // namespace fairlead::client
