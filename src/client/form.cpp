#include "client/form.hpp"

#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/schema.hpp>
#include <map>
#include <utility>

namespace fairlead::client {
namespace {

/// As much of a form's schema as defaults need.
struct Form {
  std::optional<std::map<std::string, json::Payload>> properties = {};
};
struct Field {
  std::optional<json::Payload> default_ = {};
};

json::Payload with_defaults(const json::Payload& content, const json::Payload& schema) {
  json::ObjectEdit filled(content.text());
  const auto form = json::decode<Form>(schema);
  if (!form || !form->properties) return content;
  for (const auto& [name, text] : *form->properties) {
    const auto field = json::decode<Field>(text);
    if (!field || !field->default_ || !filled.get(name).empty()) continue;
    filled.set(name, std::string(field->default_->text()));
  }
  return filled.changed() ? json::Payload::trusted(filled.text()) : content;
}

}  // namespace

Result<protocol::ElicitResult> completed(protocol::ElicitResult answer, const json::Payload& schema) {
  if (answer.action != protocol::ElicitAction::accept) {
    answer.content.reset();
    return answer;
  }
  answer.content = with_defaults(answer.content.value_or(json::Payload::trusted("{}")), schema);
  const auto law = json::Schema::compile(schema.text());
  // A form whose schema is none binds nobody.
  if (!law) return answer;
  const auto violations = law->validate(answer.content->text());
  if (violations.empty()) return answer;
  return fail(ErrorKind::invalid, "the answer does not fit the form: " + json::to_string(violations.front()));
}

}  // namespace fairlead::client
