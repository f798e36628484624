#include "cli/user.hpp"

#include <cstdio>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/reader.hpp>
#include <fmt/format.h>
#include <iostream>
#include <optional>
#include <unistd.h>
#include <utility>

#include "cli/output.hpp"
#include "cli/show.hpp"
#include "cli/typed_arguments.hpp"

namespace fairlead::cli {
namespace {

using protocol::ElicitAction;
using protocol::ElicitResult;

ElicitResult decided(ElicitAction action) {
  ElicitResult result;
  result.action = action;
  return result;
}

bool at_terminal() {
  return ::isatty(STDIN_FILENO) == 1;
}

// Nothing at the end of the input.
std::optional<std::string> ask(const std::string& question) {
  std::fputs(question.c_str(), stderr);
  std::string line;
  return std::getline(std::cin, line) ? std::optional(line) : std::nullopt;
}

struct Field {
  std::string name;
  std::optional<std::string> title = {};
  std::optional<std::string> description = {};
  std::optional<json::Payload> default_ = {};
  std::optional<std::vector<json::Payload>> enum_ = {};
};

std::vector<Field> fields_of(const json::Payload& schema) {
  std::vector<Field> fields;
  const json::ObjectEdit form(schema.text());
  const auto properties = form.get("properties");
  if (!properties.starts_with('{')) return fields;
  json::Reader reader(properties);
  reader.open();
  while (reader.more()) {
    std::string name(reader.key());
    struct Described {
      std::optional<std::string> title = {};
      std::optional<std::string> description = {};
      std::optional<json::Payload> default_ = {};
      std::optional<std::vector<json::Payload>> enum_ = {};
    };
    const auto about = json::decode<Described>(reader.skip()).value_or(Described{});
    fields.push_back({std::move(name), about.title, about.description, about.default_, about.enum_});
  }
  return fields;
}

std::string question_for(const Field& field) {
  std::string text = "  " + for_terminal(field.title.value_or(field.name));
  if (field.description) text += fmt::format(" ({})", for_terminal(*field.description));
  std::string choices;
  for (const auto& choice : field.enum_.value_or(std::vector<json::Payload>())) {
    choices += (choices.empty() ? "" : " | ") + for_terminal(choice.text());
  }
  if (!choices.empty()) text += " " + choices;
  if (field.default_) text += fmt::format(" [{}]", for_terminal(field.default_->text()));
  return text + ": ";
}

// An empty line leaves a field out, so that its default counts; the end of the input dismisses the form.
Result<ElicitResult> fill_by_hand(const protocol::ElicitFormParams& form) {
  complain("The server asks: " + for_terminal(form.message));
  std::string content = "{}";
  for (const auto& field : fields_of(form.requestedSchema)) {
    while (true) {
      const auto line = ask(question_for(field));
      if (!line) return decided(ElicitAction::cancel);
      if (line->empty()) break;
      const std::vector<std::string> words{field.name + "=" + *line};
      auto more = typed_arguments(words, form.requestedSchema, content);
      if (more) content = std::move(*more);
      if (more) break;
      complain("  " + more.error().message);
    }
  }
  const auto sure = ask("  Send this? [Y/n] ");
  if (!sure) return decided(ElicitAction::cancel);
  if (!sure->empty() && sure->front() != 'y' && sure->front() != 'Y') return decided(ElicitAction::decline);
  auto result = decided(ElicitAction::accept);
  result.content = json::Payload::trusted(std::move(content));
  return result;
}

// Answers that belong to another form of the same call are left out of this one.
Result<ElicitResult> fill_by_options(const protocol::ElicitFormParams& form, const std::vector<std::string>& answers) {
  std::vector<std::string> words;
  for (const auto& field : fields_of(form.requestedSchema)) {
    for (const auto& answer : answers) {
      if (answer.starts_with(field.name + "=") || answer.starts_with(field.name + ":=")) words.push_back(answer);
    }
  }
  auto content = typed_arguments(words, form.requestedSchema);
  if (!content) return std::unexpected(std::move(content.error()));
  auto result = decided(ElicitAction::accept);
  result.content = json::Payload::trusted(std::move(*content));
  return result;
}

Result<ElicitResult> fill(const protocol::ElicitFormParams& form, const std::vector<std::string>& answers) {
  if (!answers.empty()) return fill_by_options(form, answers);
  if (at_terminal()) return fill_by_hand(form);
  complain("The server asks: " + for_terminal(form.message));
  complain("  declined, because nobody is at the terminal; --answer <field=value> answers it");
  return decided(ElicitAction::decline);
}

Result<ElicitResult> visit(const protocol::ElicitUrlParams& page) {
  complain("The server asks you to visit: " + for_terminal(page.url));
  complain("  " + for_terminal(page.message));
  const auto line = at_terminal() ? ask("  Did you? [y/N] ") : std::nullopt;
  const bool agreed = line && (*line == "y" || *line == "Y" || *line == "yes");
  return decided(agreed ? ElicitAction::accept : ElicitAction::decline);
}

Result<protocol::CreateMessageResult> no_model() {
  complain("The server asks for the answer of a model: pass --sample <text> to give one");
  return fail(ErrorKind::refused, "this tool wants a model, and the client has none: pass --sample <text>");
}

protocol::CreateMessageResult said(const std::string& text) {
  protocol::CreateMessageResult result;
  result.content.blocks.emplace_back(protocol::TextContent{.text = text});
  result.model = "fairlead";
  result.stopReason = "endTurn";
  return result;
}

}  // namespace

void add_user(client::ClientOptions& options, const UserOptions& user) {
  options.on_form = [answers = user.answers](protocol::ElicitFormParams form) { return fill(form, answers); };
  options.on_visit = [](protocol::ElicitUrlParams page) { return visit(page); };
  options.on_sample = [text = user.sampled](protocol::CreateMessageParams) -> Result<protocol::CreateMessageResult> {
    if (text.empty()) return no_model();
    return said(text);
  };
  options.sample_with_tools = true;
  auto& roots = options.roots.emplace();
  for (const auto& uri : user.roots) roots.push_back({.uri = uri});
}

void offer_everything(client::ClientOptions& options) {
  options.on_form = [](protocol::ElicitFormParams) { return decided(ElicitAction::decline); };
  options.on_visit = [](protocol::ElicitUrlParams) { return decided(ElicitAction::decline); };
  options.on_sample = [](protocol::CreateMessageParams) -> Result<protocol::CreateMessageResult> {
    return fail(ErrorKind::refused, "this client only looks at what the server offers");
  };
  options.sample_with_tools = true;
  options.roots.emplace();
}

}  // namespace fairlead::cli
