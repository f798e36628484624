#pragma once

#include "json/schema/program.hpp"
#include "json/schema/registry.hpp"

namespace fairlead::json::schema {

/// Compiles all schemas reachable from the main one into nodes, from a queue instead of by recursion.
class Compiler {
 public:
  Compiler(Registry& registry, const SchemaOptions& options) : registry_(registry), options_(options) {}

  Result<Program> run(const Value& root);

  /// The node of a schema, which may still be in the queue. The registry must know the schema.
  NodeId node_for(const Value& schema);

  /// Compiles a pattern, or returns the one compiled before for the same text.
  Result<Pattern> pattern(std::string_view text);

  /// A unique number for the name of a dynamic anchor.
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
  std::vector<const Value*> schemas_;  ///< By NodeId; those from `nodes.size()` on are queued.
  std::unordered_map<const Value*, NodeId> ids_;
  std::unordered_map<std::string, Pattern> patterns_;
  std::size_t pattern_size_ = 0;
  std::unordered_map<std::string, std::uint32_t> anchor_indices_;
  std::vector<bool> used_resources_;
  Program program_ = {};
};

}  // namespace fairlead::json::schema
