#include "client/elicitation_defaults.hpp"

#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/schema.hpp>
#include <map>

namespace fairlead::client {
namespace {

/// The part of a form's schema that holds defaults.
struct FormSchema {
  std::optional<std::map<std::string, json::Payload>> properties = {};
};
struct FormField {
  std::optional<json::Payload> default_ = {};
};

json::Payload with_defaults(const json::Payload& content, const json::Payload& schema) {
  json::ObjectEdit filled(content.text());
  const auto form = json::decode<FormSchema>(schema);
  if (!form || !form->properties) return content;
  for (const auto& [name, text] : *form->properties) {
    const auto field = json::decode<FormField>(text);
    if (!field || !field->default_ || !filled.get(name).empty()) continue;
    filled.set(name, std::string(field->default_->text()));
  }
  return filled.changed() ? json::Payload::trusted(filled.text()) : content;
}

}  // namespace

Result<protocol::ElicitResult> complete_elicitation(protocol::ElicitResult answer, const json::Payload& schema) {
  if (answer.action != protocol::ElicitAction::accept) {
    answer.content.reset();
    return answer;
  }
  answer.content = with_defaults(answer.content.value_or(json::Payload::trusted("{}")), schema);
  const auto compiled = json::Schema::compile(schema.text());
  // An invalid schema cannot be checked.
  if (!compiled) return answer;
  const auto violations = compiled->validate(answer.content->text());
  if (violations.empty()) return answer;
  return fail(ErrorKind::invalid, "the result violates the form's schema: " + json::to_string(violations.front()));
}

}  // namespace fairlead::client
