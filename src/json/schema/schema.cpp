#include <fairlead/json/schema.hpp>

#include <boost/json.hpp>

#include "json/schema/compiler.hpp"
#include "json/schema/evaluator.hpp"
#include "json/schema/parse.hpp"
#include "json/schema/registry.hpp"

namespace fairlead::json {

namespace {

/// Parsing and destroying an instance recurse, so its nesting is limited.
constexpr std::size_t max_instance_depth = 512;

}  // namespace

std::string to_string(const Violation& violation) {
  return (violation.path.empty() ? "value" : violation.path) + ": " + violation.reason;
}

Result<Schema> Schema::compile(std::string_view text, const SchemaOptions& options) {
  schema::Registry registry(options);
  const auto root = registry.add_main(text);
  if (!root) return std::unexpected(root.error());
  auto program = schema::Compiler(registry, options).run(**root);
  if (!program) return std::unexpected(program.error());
  return Schema(std::make_shared<const schema::Program>(std::move(*program)));
}

std::vector<Violation> Schema::validate(const boost::json::value& instance) const {
  schema::Evaluator verdict(*program_, nullptr);
  if (verdict.accepts(instance)) return {};
  if (verdict.stopped()) return {verdict.stop_violation()};
  std::vector<Violation> violations;
  schema::Evaluator reporter(*program_, &violations);
  reporter.accepts(instance);
  // The second evaluation has its own budget, and may exhaust it before it finds the first violation again.
  if (violations.empty()) violations.push_back({.path = {}, .reason = "does not match the schema"});
  return violations;
}

std::vector<Violation> Schema::validate(std::string_view json_text) const {
  const auto instance = schema::parse_json(json_text, max_instance_depth);
  if (!instance) return {{.path = {}, .reason = instance.error().message}};
  return validate(*instance);
}

bool Schema::accepts(const boost::json::value& instance) const {
  return schema::Evaluator(*program_, nullptr).accepts(instance);
}

}  // namespace fairlead::json
