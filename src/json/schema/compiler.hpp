#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "json/schema/program.hpp"
#include "json/schema/registry.hpp"

namespace fairlead::json::schema {

/// Turns the schemas that the main one reaches into nodes, one at a time from a queue, so that nothing recurses.
class Compiler {
 public:
  Compiler(Registry& registry, const SchemaOptions& options) : registry_(registry), options_(options) {}

  Result<Program> run(const Value& root);

  /// The node that the schema is or will be compiled to; it must be known to the registry.
  NodeId node_for(const Value& schema);

  /// Compiled once for all schemas that use the same text.
  Result<Pattern> pattern(std::string_view text);

  /// A number for the name of a dynamic anchor.
  std::uint32_t anchor_index(const std::string& name);

  Registry& registry() { return registry_; }
  bool asserts_formats() const { return options_.assert_formats; }

 private:
  Result<void> compile_next();
  Result<Node> compile(const Value& schema);
  Result<Node> compile_object(const boost::json::object& schema, const Location& location);
  void use_resource(ResourceId id);

  Registry& registry_;
  const SchemaOptions& options_;
  std::vector<const Value*> schemas_;  ///< By NodeId; those from `nodes.size()` on are still to do.
  std::unordered_map<const Value*, NodeId> ids_;
  std::unordered_map<std::string, Pattern> patterns_;
  std::size_t pattern_size_ = 0;
  std::unordered_map<std::string, std::uint32_t> anchor_indices_;
  std::vector<bool> used_resources_;
  Program program_ = {};
};

}  // namespace fairlead::json::schema
