#pragma once

#include "json/schema/compiler.hpp"

namespace fairlead::json::schema {

/// The schema being compiled, as passed to the compile functions of its keywords.
class KeywordContext {
 public:
  KeywordContext(Compiler& compiler, const boost::json::object& schema, const Location& location)
      : compiler_(compiler), schema_(schema), location_(location) {}

  Node node = {};

  NumberRules& number() { return made(node.number); }
  StringRules& string() { return made(node.string); }
  ArrayRules& array() { return made(node.array); }
  ObjectRules& object() { return made(node.object); }
  LogicRules& logic() { return made(node.logic); }

  Compiler& compiler() const { return compiler_; }
  const Location& location() const { return location_; }
  const Dialect& dialect() const { return compiler_.registry().resource(location_.resource).dialect; }
  const Value* sibling(std::string_view name) const { return schema_.if_contains(name); }

  /// Sets the keyword that is compiled next, for error messages.
  void enter(std::string_view keyword) { keyword_ = keyword; }

  /// An error at the keyword, or at the member `inside` of its value.
  std::unexpected<Error> refuse(std::string_view text, std::string_view inside = {}) const;

  /// Reads the keyword's value into a member of the rules: a schema, several, a count, a bound or a flag.
  template <class Rules, class T>
  Result<void> set(T Rules::* member, const Value& value) {
    return read_into(rules(static_cast<Rules*>(nullptr)).*member, value);
  }
  Result<void> read_into(NodeId& node_id, const Value& value) const;
  Result<void> read_into(std::vector<NodeId>& nodes, const Value& value) const;
  Result<void> read_into(std::size_t& count, const Value& value) const;
  Result<void> read_into(std::optional<Number>& bound, const Value& value) const;
  Result<void> read_into(bool& flag, const Value& value) const;
  Result<NodeId> compile_subschema(const Value& value, std::string_view inside) const;

  Result<Number> number_from(const Value& value) const;
  Result<std::string> string_from(const Value& value) const;
  Result<std::vector<std::string>> names_from(const Value& value, std::string_view inside = {}) const;
  Result<const boost::json::object*> object_from(const Value& value) const;

 private:
  NumberRules& rules(NumberRules*) { return number(); }
  StringRules& rules(StringRules*) { return string(); }
  ArrayRules& rules(ArrayRules*) { return array(); }
  ObjectRules& rules(ObjectRules*) { return object(); }
  LogicRules& rules(LogicRules*) { return logic(); }
  Node& rules(Node*) { return node; }

  template <class Rules>
  static Rules& made(std::unique_ptr<Rules>& rules) {
    if (!rules) rules = std::make_unique<Rules>();
    return *rules;
  }

  Compiler& compiler_;
  const boost::json::object& schema_;
  const Location& location_;
  std::string_view keyword_ = {};
};

}  // namespace fairlead::json::schema
