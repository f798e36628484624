#include "demo/features.hpp"

namespace fairlead::demo {
namespace {

enum class Colour { red, green, blue };

struct Taste {
  Doc<std::string, "How to address you"> name;
  std::optional<Colour> colour = Colour::blue;
};

Task<std::string> ask_user(Context& context) {
  const auto answer = co_await context.elicit<Taste>("What is your name, and which colour do you like best?");
  co_return *answer.name + " likes " + std::string(json::enum_name(answer.colour.value_or(Colour::blue)));
}

Task<std::string> ask_model(Arg<"prompt", std::string, "What to ask the model"> prompt, Context& context) {
  const auto answer = co_await context.sample(*prompt, 200);
  co_return "The model answered: " + answer;
}

Task<std::string> list_roots(Context& context) {
  const auto roots = co_await context.roots();
  std::string text = std::to_string(roots.size()) + (roots.size() == 1 ? " root" : " roots");
  for (const auto& root : roots) text += "\n" + root.uri;
  co_return text;
}

}  // namespace

void add_client_tools(Server& server) {
  server.tool("ask_user", read_only("Ask the user", "Asks the user to fill in a form (elicitation)"), ask_user);
  server.tool("ask_model", read_only("Ask the model", "Asks the model of the client (sampling)"), ask_model);
  server.tool("list_roots", read_only("List roots", "Lists the folders that the client offers (roots)"), list_roots);
}

}  // namespace fairlead::demo
