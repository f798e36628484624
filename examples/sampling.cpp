// Sampling and roots: the server uses the client's model and lists the user's folders.
#include <fairlead/client.hpp>
#include <fairlead/server.hpp>
#include <iostream>

using namespace fairlead;

int main() {
  Server app{"writer", "1.0"};
  app.tool("summarise", "Sums a text up", [](Arg<"text", std::string> text, Context& context) -> Task<std::string> {
    if (!context.can_sample()) co_return text->substr(0, 20) + "…";
    co_return co_await context.sample("Sum this up in one line:\n" + *text, 100);
  });

  // With full params instead of a prompt. Both requests share one round in the stateless era.
  app.tool("describe", "Describes where the user works", [](Context& context) -> Task<std::string> {
    protocol::SamplingMessage message;
    message.content.blocks.emplace_back(TextContent{.text = "Describe a project folder."});
    protocol::CreateMessageParams question;
    question.messages.push_back(std::move(message));
    question.systemPrompt = "You are terse.";
    question.maxTokens = 50;
    const auto [roots, written] = co_await context.request_all(server::list_roots(), server::create_message(question));
    co_return roots.at(0).uri + " by " + written.model;
  });

  ClientOptions options;
  options.on_create_message = [](const protocol::CreateMessageParams& params) {
    std::cout << "sampling request with " << params.messages.size() << " message, at most " << params.maxTokens
              << " tokens\n";
    protocol::CreateMessageResult written;
    written.content.blocks.emplace_back(TextContent{.text = "All is well."});
    written.model = "parrot-1";
    return written;
  };
  options.roots = {protocol::Root{.uri = "file:///home/ann/project"}};
  for (const auto era : {client::EraPreference::handshake, client::EraPreference::stateless}) {
    options.era = era;
    auto client = connect(app, options);
    if (client.call<std::string>("summarise", {{"text", "…"}}) != "All is well.") return 1;
    if (client.call<std::string>("describe") != "file:///home/ann/project by parrot-1") return 1;
  }
  return connect(app).call<std::string>("summarise", {{"text", "no model available"}}) == "no model available…" ? 0 : 1;
}
