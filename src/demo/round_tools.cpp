#include "demo/features.hpp"

namespace fairlead::demo {
namespace {

struct Name {
  std::string name;
};
struct Colour {
  std::string color;
};
struct Consent {
  bool ok;
};

std::string count_of(const std::vector<protocol::Root>& roots) {
  return std::to_string(roots.size()) + " roots";
}

Task<std::string> greet_by_name(Context& context) {
  const auto user = co_await context.elicit<Name>("What is your name?", "user_name");
  co_return "Hello, " + user.name + "!";
}

Task<std::string> ask_capital(Context& context) {
  return context.sample("What is the capital of France?", 100, "capital_question");
}

Task<std::string> list_client_roots(Context& context) {
  const auto roots = co_await context.roots("client_roots");
  std::string text = count_of(roots);
  for (const auto& root : roots) text += "\n" + root.uri;
  co_return text;
}

// The value of `once` is what has to survive from round to round.
Task<std::string> keep_state(Context& context) {
  const auto kept = co_await context.once("kept", [] { return std::string("state-ok"); });
  const auto consent = co_await context.elicit<Consent>("Please confirm", "confirm");
  co_return kept + (consent.ok ? ": confirmed" : ": not confirmed");
}

Task<std::string> ask_three_at_once(Context& context) {
  auto name = server::form<Name>("What is your name?", "user_name");
  auto greeting = server::sampling("Generate a greeting", 50, "greeting");
  auto roots = server::list_roots("client_roots");
  auto [user, said, found] = co_await context.all(std::move(name), std::move(greeting), std::move(roots));
  co_return said + " " + user.name + ", " + count_of(found);
}

Task<std::string> ask_twice(Context& context) {
  const auto user = co_await context.elicit<Name>("Step 1: What is your name?", "step1");
  const auto favourite = co_await context.elicit<Colour>("Step 2: What is your favorite color?", "step2");
  co_return user.name + " likes " + favourite.color;
}

// Asks for no more than the client said it can answer.
Task<std::string> ask_what_is_possible(Context& context) {
  std::string text = "Asked for:";
  if (context.can_elicit()) {
    const auto user = co_await context.elicit<Name>("What is your name?", "user_name");
    text += " elicitation (" + user.name + ")";
  }
  if (context.can_sample()) {
    const auto said = co_await context.sample("Generate a greeting", 50, "greeting");
    text += " sampling (" + said + ")";
  }
  co_return text;
}

}  // namespace

void add_round_tools(Server& server) {
  server.tool("test_input_required_result_elicitation", "Greets the user by name", greet_by_name);
  server.tool("test_input_required_result_sampling", "Asks the client's model for a capital", ask_capital);
  server.tool("test_input_required_result_list_roots", "Lists the client's roots", list_client_roots);
  server.tool("test_list_roots", "Lists the client's roots", list_client_roots);
  server.tool("test_input_required_result_request_state", "Keeps a state between the rounds", keep_state);
  server.tool("test_input_required_result_tampered_state", "Keeps a state that nobody can forge", keep_state);
  server.tool("test_input_required_result_multiple_inputs", "Puts three questions at once", ask_three_at_once);
  server.tool("test_input_required_result_multi_round", "Asks, and then asks again", ask_twice);
  server.tool("test_input_required_result_capabilities", "Asks only what the client can answer", ask_what_is_possible);
}

}  // namespace fairlead::demo
