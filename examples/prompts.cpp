// Prompts, and completion of their arguments.
#include <fairlead/client.hpp>
#include <fairlead/server.hpp>
#include <iostream>

using fairlead::assistant;
using fairlead::user;

struct Review {
  fairlead::Doc<std::string, "The code to look at"> code;
  std::optional<std::string> language;
};

int main() {
  fairlead::Server app{"reviewer", "1.0"};

  // A string becomes one user message; a vector returns several messages.
  app.prompt("greet", "Says hello",
             [](fairlead::Arg<"name", std::string, "Whom to greet"> name) { return "Greet " + *name + " warmly."; });
  app.prompt("review", "Asks for a code review", [](Review review) {
    const auto language = review.language.value_or("C++");
    return std::vector{user("Review this " + language + ":\n" + *review.code),
                       assistant("First I look at what it promises.")};
  });

  // Take a CompletionQuery instead of a string to see the other arguments.
  app.complete(fairlead::protocol::PromptReference{.name = "review"}, "language", [](std::string typed) {
    std::vector<std::string> found;
    for (const std::string language : {"C", "C++", "Cobol", "Python"}) {
      if (language.starts_with(typed)) found.push_back(language);
    }
    return found;
  });

  auto client = fairlead::connect(app);
  for (const auto& prompt : client.prompts())
    std::cout << prompt.name << ": " << prompt.description.value_or("") << '\n';
  const auto completion = client.complete(fairlead::protocol::PromptReference{.name = "review"}, "language", "Co");
  const auto messages = client.prompt("review", {{"code", "int x;"}, {"language", completion.values.at(0)}}).messages;
  for (const auto& message : messages) {
    std::cout << (message.role == fairlead::protocol::Role::user ? "user: " : "assistant: ")
              << std::get<fairlead::TextContent>(message.content).text << '\n';
  }
  return messages.size() == 2 ? 0 : 1;
}
