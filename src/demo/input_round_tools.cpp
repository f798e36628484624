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

// The result of `once` must survive all rounds.
Task<std::string> keep_state(Context& context) {
  const auto stored = co_await context.once("kept", [] { return std::string("state-ok"); });
  const auto consent = co_await context.elicit<Consent>("Please confirm", "confirm");
  co_return stored + (consent.ok ? ": confirmed" : ": not confirmed");
}

Task<std::string> ask_three_at_once(Context& context) {
  auto name = server::elicit_form<Name>("What is your name?", "user_name");
  auto greeting = server::create_message("Generate a greeting", 50, "greeting");
  auto roots = server::list_roots("client_roots");
  auto [user, answer, found] = co_await context.request_all(std::move(name), std::move(greeting), std::move(roots));
  co_return answer + " " + user.name + ", " + count_of(found);
}

Task<std::string> ask_in_two_rounds(Context& context) {
  const auto user = co_await context.elicit<Name>("Step 1: What is your name?", "step1");
  const auto favourite = co_await context.elicit<Colour>("Step 2: What is your favorite color?", "step2");
  co_return user.name + " likes " + favourite.color;
}

// Uses only the capabilities that the client declared.
Task<std::string> ask_what_is_possible(Context& context) {
  std::string text = "Asked for:";
  if (context.can_elicit()) {
    const auto user = co_await context.elicit<Name>("What is your name?", "user_name");
    text += " elicitation (" + user.name + ")";
  }
  if (context.can_sample()) {
    const auto answer = co_await context.sample("Generate a greeting", 50, "greeting");
    text += " sampling (" + answer + ")";
  }
  co_return text;
}

}  // namespace

void add_input_round_tools(Server& server) {
  server.tool("test_input_required_result_elicitation", "Greets the user by name", greet_by_name);
  server.tool("test_input_required_result_sampling", "Asks the client's model for a capital", ask_capital);
  server.tool("test_input_required_result_list_roots", "Lists the client's roots", list_client_roots);
  server.tool("test_list_roots", "Lists the client's roots", list_client_roots);
  server.tool("test_input_required_result_request_state", "Keeps state between rounds", keep_state);
  server.tool("test_input_required_result_tampered_state", "Keeps state that the client cannot forge", keep_state);
  server.tool("test_input_required_result_multiple_inputs", "Sends three requests in one round", ask_three_at_once);
  server.tool("test_input_required_result_multi_round", "Needs two input rounds", ask_in_two_rounds);
  server.tool("test_input_required_result_capabilities", "Uses only declared capabilities", ask_what_is_possible);
}

}  // namespace fairlead::demo
