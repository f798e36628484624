// Elicitation during a tool call: a form derived from a struct, and a URL. The same handler works in both eras. In the
// stateless era it runs again with the user's answers, so a side effect that must happen once is inside `once`.
#include <fairlead/client.hpp>
#include <fairlead/server.hpp>
#include <iostream>

using namespace fairlead;
using protocol::ElicitAction;
using protocol::ElicitResult;

enum class Size : std::uint8_t { small, large };

struct Order {
  Doc<std::string, "Name on the cup"> name;
  std::optional<int> cups = 1;             // The initialiser is the default of the form.
  std::optional<Size> size = Size::small;  // An enumeration is a choice of values.
};

Task<std::string> coffee(Context& context) {
  const int number = co_await context.once("number", [] { return 42; });
  try {
    const auto order = co_await context.elicit<Order>("What would you like?");
    if (context.can_elicit_url()) co_await context.elicit_url("Please pay.", "https://pay.example/42");
    co_return "Order " + std::to_string(number) + ": " + std::to_string(*order.cups) + " for " + *order.name;
  } catch (const ElicitationDeclined&) {
    co_return "Another time.";
  }
}

std::string order_in(Server& app, client::EraPreference era, ElicitAction action) {
  ClientOptions options{.era = era};
  options.on_elicit = [action](const protocol::ElicitFormParams& form) {
    std::cout << form.message << ' ' << form.requestedSchema.text() << '\n';
    ElicitResult answer{.action = action};
    if (action == ElicitAction::accept) answer.content = Payload::trusted(R"({"name":"Ann","cups":2,"size":"large"})");
    return answer;
  };
  options.on_elicit_url = [](const protocol::ElicitUrlParams& page) {
    std::cout << page.message << ' ' << page.url << '\n';
    return ElicitResult{.action = ElicitAction::accept};
  };
  return connect(app, options).call<std::string>("coffee");
}

int main() {
  Server app{"bar", "1.0"};
  app.tool("coffee", "Takes an order", coffee);
  for (const auto era : {client::EraPreference::handshake, client::EraPreference::stateless}) {
    if (order_in(app, era, ElicitAction::accept) != "Order 42: 2 for Ann") return 1;
    if (order_in(app, era, ElicitAction::decline) != "Another time.") return 1;
  }
}
