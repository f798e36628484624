#include "json/schema/compiler.hpp"

#include <fmt/format.h>

#include "json/schema/keyword_context.hpp"
#include "json/schema/regex.hpp"
#include "json/schema/violation_text.hpp"

namespace fairlead::json::schema {

namespace {

/// RE2 instructions for all patterns of a schema together; one takes 8 bytes, and its automaton many more.
constexpr std::size_t max_pattern_size = 2'000'000;

}  // namespace

Result<Program> Compiler::run(const Value& root) {
  node_for(root);
  while (program_.nodes.size() < schemas_.size()) {
    if (const auto done = compile_next(); !done) return std::unexpected(done.error());
  }
  program_.max_depth = options_.max_depth;
  program_.max_steps = options_.max_steps;
  return std::move(program_);
}

NodeId Compiler::node_for(const Value& schema) {
  const auto [at, fresh] = ids_.emplace(&schema, static_cast<NodeId>(schemas_.size()));
  if (fresh) schemas_.push_back(&schema);
  return at->second;
}

Result<void> Compiler::compile_next() {
  const auto& schema = *schemas_[program_.nodes.size()];
  auto node = compile(schema);
  if (!node) return std::unexpected(node.error());
  node->resource = registry_.location(schema).resource;
  use_resource(node->resource);
  program_.nodes.push_back(std::move(*node));
  return {};
}

Result<Node> Compiler::compile(const Value& schema) {
  const auto& location = registry_.location(schema);
  Node node;
  if (const auto* verdict = schema.if_bool()) {
    node.verdict = *verdict ? Verdict::always : Verdict::never;
    return node;
  }
  if (const auto* object = schema.if_object()) return compile_object(*object, location);
  return fail_at(location.pointer, fmt::format("a schema is an object or a boolean, not {}", type_name(schema)));
}

Result<Node> Compiler::compile_object(const boost::json::object& schema, const Location& location) {
  KeywordContext context(*this, schema, location);
  const auto dialect = context.dialect();
  // In draft-07 a $ref overrides all other keywords beside it.
  const bool reference_only = dialect.draft == Draft::draft7 && schema.contains("$ref");
  for (const auto& member : schema) {
    const auto* keyword = find_keyword(member.key(), dialect);
    if (keyword == nullptr || keyword->compile == nullptr) continue;
    if (reference_only && keyword->name != "$ref" && keyword->name != "definitions") continue;
    context.enter(keyword->name);
    if (const auto done = keyword->compile(context, member.value()); !done) return std::unexpected(done.error());
  }
  if (context.node.object) context.node.object->names.seal();
  return std::move(context.node);
}

/// Creates nodes for a resource's dynamic anchors once the resource can be in a dynamic scope.
void Compiler::use_resource(ResourceId id) {
  if (used_resources_.size() <= id) used_resources_.resize(id + 1);
  if (program_.dynamic_anchors.size() <= id) program_.dynamic_anchors.resize(id + 1);
  if (used_resources_[id]) return;
  used_resources_[id] = true;
  for (const auto& [name, schema] : registry_.resource(id).dynamic_anchors) {
    program_.dynamic_anchors[id].emplace_back(anchor_index(name), node_for(*schema));
  }
}

Result<Pattern> Compiler::pattern(std::string_view text) {
  auto& known = patterns_[std::string(text)];
  if (known) return known;
  const auto compiled = compile_pattern(text);
  if (!compiled) {
    return fail(ErrorKind::invalid, fmt::format("the pattern {} {}", quoted_text(text), compiled.error().reason));
  }
  pattern_size_ += static_cast<std::size_t>((*compiled)->ProgramSize());
  if (pattern_size_ > max_pattern_size) return fail(ErrorKind::invalid, "the patterns of this schema are too large");
  return known = *compiled;
}

std::uint32_t Compiler::anchor_index(const std::string& name) {
  return anchor_indices_.emplace(name, static_cast<std::uint32_t>(anchor_indices_.size())).first->second;
}

}  // namespace fairlead::json::schema
