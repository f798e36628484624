// A client that answers elicitation and sampling requests. The server is an object in the same process, which is also
// how to test a server.
#include <fairlead/client.hpp>
#include <fairlead/server.hpp>
#include <iostream>

using namespace fairlead;

struct Order {
  int cups = 1;
  std::optional<bool> milk = false;
};

int main() {
  Server app{"café", "1.0"};
  app.tool("order", "Takes an order", [](Context& context) -> Task<std::string> {
    const auto order = co_await context.elicit<Order>("What would you like?");
    const auto name = co_await context.sample("A name for the guest", 10);
    co_return std::to_string(order.cups) + (order.milk.value_or(false) ? " with milk" : " black") + " for " + name;
  });

  ClientOptions options;
  // A plain function may block: it runs on a thread pool.
  options.on_elicit = [](const protocol::ElicitFormParams& form) {
    std::cout << form.message << '\n';
    return protocol::ElicitResult{.action = protocol::ElicitAction::accept,
                                  .content = Payload::trusted(R"({"cups":2})")};
  };
  // A coroutine runs on the client's event loop.
  options.on_create_message = [](protocol::CreateMessageParams) -> Task<protocol::CreateMessageResult> {
    protocol::CreateMessageResult message;
    message.model = "example";
    message.content.blocks.emplace_back(TextContent{.text = "Ann"});
    co_return message;
  };

  bool good = true;
  for (const auto era : {client::EraPreference::handshake, client::EraPreference::stateless}) {
    options.era = era;
    auto cafe = connect(app, options);
    const auto served = cafe.call<std::string>("order");
    std::cout << cafe.server().revision->name << ": " << served << '\n';
    good = good && served == "2 black for Ann";
  }
  return good ? 0 : 1;
}
