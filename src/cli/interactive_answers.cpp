#include "cli/interactive_answers.hpp"

#include <cstdio>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/reader.hpp>
#include <fmt/format.h>
#include <iostream>
#include <optional>
#include <unistd.h>

#include "cli/output.hpp"
#include "cli/to_text.hpp"
#include "cli/typed_arguments.hpp"

namespace fairlead::cli {
namespace {

using protocol::ElicitAction;
using protocol::ElicitResult;

ElicitResult elicit_result(ElicitAction action) {
  ElicitResult result;
  result.action = action;
  return result;
}

bool at_terminal() {
  return ::isatty(STDIN_FILENO) == 1;
}

// Prints a question and reads one line; nothing at the end of the input.
std::optional<std::string> prompt_line(const std::string& question) {
  std::fputs(question.c_str(), stderr);
  std::string line;
  return std::getline(std::cin, line) ? std::optional(line) : std::nullopt;
}

/// The part of a field's schema that is shown.
struct FieldSchema {
  std::optional<std::string> title = {};
  std::optional<std::string> description = {};
  std::optional<json::Payload> default_ = {};
  std::optional<std::vector<json::Payload>> enum_ = {};
};

struct FormField {
  std::string name;
  FieldSchema schema;
};

std::vector<FormField> fields_of(const json::Payload& schema) {
  std::vector<FormField> fields;
  const json::ObjectEdit form(schema.text());
  const auto properties = form.get("properties");
  if (!properties.starts_with('{')) return fields;
  json::Reader reader(properties);
  reader.open();
  while (reader.more()) {
    std::string name(reader.key());
    fields.push_back({std::move(name), json::decode<FieldSchema>(reader.skip()).value_or(FieldSchema{})});
  }
  return fields;
}

std::string question_for(const FormField& field) {
  const auto& schema = field.schema;
  std::string text = "  " + escape_for_terminal(schema.title.value_or(field.name));
  if (schema.description) text += fmt::format(" ({})", escape_for_terminal(*schema.description));
  std::string choices;
  for (const auto& choice : schema.enum_.value_or(std::vector<json::Payload>())) {
    choices += (choices.empty() ? "" : " | ") + escape_for_terminal(choice.text());
  }
  if (!choices.empty()) text += " " + choices;
  if (schema.default_) text += fmt::format(" [{}]", escape_for_terminal(schema.default_->text()));
  return text + ": ";
}

// An empty line omits a field, so that its default applies. The end of the input cancels the form.
Result<ElicitResult> prompt_for_form(const protocol::ElicitFormParams& form) {
  print_stderr("The server asks: " + escape_for_terminal(form.message));
  std::string content = "{}";
  for (const auto& field : fields_of(form.requestedSchema)) {
    while (true) {
      const auto line = prompt_line(question_for(field));
      if (!line) return elicit_result(ElicitAction::cancel);
      if (line->empty()) break;
      const std::vector<std::string> assignments{field.name + "=" + *line};
      auto more = typed_arguments(assignments, form.requestedSchema, content);
      if (more) content = std::move(*more);
      if (more) break;
      print_stderr("  " + more.error().message);
    }
  }
  const auto sure = prompt_line("  Send this? [Y/n] ");
  if (!sure) return elicit_result(ElicitAction::cancel);
  if (!sure->empty() && sure->front() != 'y' && sure->front() != 'Y') return elicit_result(ElicitAction::decline);
  auto result = elicit_result(ElicitAction::accept);
  result.content = json::Payload::trusted(std::move(content));
  return result;
}

// Skips answers whose field is not in this form: a call may send several forms.
Result<ElicitResult> fill_from_options(const protocol::ElicitFormParams& form,
                                       const std::vector<std::string>& answers) {
  std::vector<std::string> assignments;
  for (const auto& field : fields_of(form.requestedSchema)) {
    for (const auto& answer : answers) {
      if (answer.starts_with(field.name + "=") || answer.starts_with(field.name + ":=")) assignments.push_back(answer);
    }
  }
  auto content = typed_arguments(assignments, form.requestedSchema);
  if (!content) return std::unexpected(std::move(content.error()));
  auto result = elicit_result(ElicitAction::accept);
  result.content = json::Payload::trusted(std::move(*content));
  return result;
}

Result<ElicitResult> answer_form(const protocol::ElicitFormParams& form, const std::vector<std::string>& answers) {
  if (!answers.empty()) return fill_from_options(form, answers);
  if (at_terminal()) return prompt_for_form(form);
  print_stderr("The server asks: " + escape_for_terminal(form.message));
  print_stderr("  declined, because stdin is not a terminal; answer with --answer <field=value>");
  return elicit_result(ElicitAction::decline);
}

Result<ElicitResult> confirm_url_visit(const protocol::ElicitUrlParams& page) {
  print_stderr("The server asks you to open this URL: " + escape_for_terminal(page.url));
  print_stderr("  " + escape_for_terminal(page.message));
  const auto line = at_terminal() ? prompt_line("  Done? [y/N] ") : std::nullopt;
  const bool agreed = line && (*line == "y" || *line == "Y" || *line == "yes");
  return elicit_result(agreed ? ElicitAction::accept : ElicitAction::decline);
}

Result<protocol::CreateMessageResult> no_sample_given() {
  print_stderr("The server requests sampling; give the reply with --sample <text>");
  return fail(ErrorKind::refused, "the server requested sampling, but no reply was given; use --sample <text>");
}

protocol::CreateMessageResult sampled_message(const std::string& text) {
  protocol::CreateMessageResult result;
  result.content.blocks.emplace_back(protocol::TextContent{.text = text});
  result.model = "fairlead";
  result.stopReason = "endTurn";
  return result;
}

}  // namespace

void add_interactive_handlers(client::ClientOptions& options, const InteractiveOptions& user) {
  options.on_elicit = [answers = user.answers](protocol::ElicitFormParams form) { return answer_form(form, answers); };
  options.on_elicit_url = [](protocol::ElicitUrlParams page) { return confirm_url_visit(page); };
  options.on_create_message =
      [text = user.sampled](protocol::CreateMessageParams) -> Result<protocol::CreateMessageResult> {
    if (text.empty()) return no_sample_given();
    return sampled_message(text);
  };
  options.allow_sampling_tools = true;
  auto& roots = options.roots.emplace();
  for (const auto& uri : user.roots) roots.push_back({.uri = uri});
}

void add_declining_handlers(client::ClientOptions& options) {
  options.on_elicit = [](protocol::ElicitFormParams) { return elicit_result(ElicitAction::decline); };
  options.on_elicit_url = [](protocol::ElicitUrlParams) { return elicit_result(ElicitAction::decline); };
  options.on_create_message = [](protocol::CreateMessageParams) -> Result<protocol::CreateMessageResult> {
    return fail(ErrorKind::refused, "this client only lists the server's features");
  };
  options.allow_sampling_tools = true;
  options.roots.emplace();
}

}  // namespace fairlead::cli
