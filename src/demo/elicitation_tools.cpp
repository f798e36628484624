#include "demo/features.hpp"

namespace fairlead::demo {
namespace {

struct Contact {
  Doc<std::string, "How to address you"> username;
  Doc<std::string, "Where to write to"> email;
};

enum class Status { active, inactive, pending };

// The initialisers are the defaults of the form.
struct Profile {
  std::optional<std::string> name = "John Doe";
  std::optional<int> age = 30;
  std::optional<double> score = 95.5;
  std::optional<Status> status = Status::active;
  std::optional<bool> verified = true;
};

constexpr std::string_view every_enumeration = R"({
  "type": "object",
  "properties": {
    "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
    "titledSingle": {"type": "string", "oneOf": [
      {"const": "value1", "title": "First Option"}, {"const": "value2", "title": "Second Option"}]},
    "legacyEnum": {"type": "string", "enum": ["opt1", "opt2"], "enumNames": ["Option One", "Option Two"]},
    "untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
    "titledMulti": {"type": "array", "items": {"anyOf": [
      {"const": "value1", "title": "First Choice"}, {"const": "value2", "title": "Second Choice"}]}}
  },
  "required": []
})";

std::string_view name_of(protocol::ElicitAction action) {
  return json::enum_name(action);
}

std::string answered(std::string_view what, std::string_view action, std::string_view content) {
  return std::string(what) + ": action=" + std::string(action) + ", content=" + std::string(content);
}

/// Action and content of the user's answer in one line.
template <class T>
Task<std::string> answer_line(std::string_view what, Task<T> question) {
  try {
    const T answer = co_await std::move(question);
    co_return answered(what, "accept", json::encode(answer));
  } catch (const ElicitationDeclined& declined) {
    co_return answered(what, name_of(declined.action()), "{}");
  }
}

Task<std::string> ask_contact(Arg<"message", std::string, "What to ask the user"> message, Context& context) {
  return answer_line("User response", context.elicit<Contact>(*message));
}

Task<std::string> ask_with_defaults(Context& context) {
  return answer_line("Elicitation completed", context.elicit<Profile>("Please review your profile"));
}

Task<std::string> ask_choices(Context& context) {
  return answer_line("Elicitation completed",
                     context.elicit("Please choose", Payload::trusted(std::string(every_enumeration))));
}

Task<std::string> send_to_page(Arg<"url", std::optional<std::string>, "Where to"> url, Context& context) {
  try {
    co_await context.elicit_url("Please visit this page", url->value_or("https://example.com/visit"));
    co_return "The user agreed to go there";
  } catch (const ElicitationDeclined& declined) {
    co_return answered("User response", name_of(declined.action()), "{}");
  }
}

Task<std::string> ask_model(Arg<"prompt", std::string, "What to ask the model"> prompt, Context& context) {
  const auto answer = co_await context.sample(*prompt, 100);
  co_return "LLM response: " + answer;
}

}  // namespace

void add_elicitation_tools(Server& server) {
  server.tool("test_sampling", "Samples the client's model", ask_model);
  server.tool("test_elicitation", "Elicits the user's name and email address", ask_contact);
  server.tool("test_elicitation_sep1034_defaults", "Elicits a form with defaults", ask_with_defaults);
  server.tool("test_elicitation_sep1330_enums", "Elicits a form with every kind of enumeration", ask_choices);
  server.tool("test_elicitation_url", "Asks the user to open a URL", send_to_page);
  server.tool("test_missing_capability", "Needs the sampling capability",
              [](Context& context) { return context.sample("Say something", 100); });
  server.tool("test_streaming_elicitation", "Elicits while the response may be a stream",
              [](Context& context) { return answer_line("User response", context.elicit<Contact>("Who are you?")); });
}

}  // namespace fairlead::demo
