#include <algorithm>

#include "demo/features.hpp"
#include "demo/sample_media.hpp"

namespace fairlead::demo {
namespace {

struct Background {
  std::string context;
};

std::vector<PromptMessage> with_picture() {
  PromptMessage shown;
  shown.content = ImageContent{.data = std::string(png), .mimeType = "image/png"};
  std::vector<PromptMessage> messages;
  messages.push_back(std::move(shown));
  messages.push_back(user("Please analyze the image above."));
  return messages;
}

std::vector<PromptMessage> with_resource(Arg<"resourceUri", std::string, "URI of the resource to embed"> uri) {
  protocol::TextResourceContents contents;
  contents.uri = *uri;
  contents.mimeType = "text/plain";
  contents.text = "Embedded resource content for testing.";
  PromptMessage shown;
  shown.content = EmbeddedResource{.resource = std::move(contents)};
  std::vector<PromptMessage> messages;
  messages.push_back(std::move(shown));
  messages.push_back(user("Please process the embedded resource above."));
  return messages;
}

std::string with_arguments(Arg<"arg1", std::string, "First test argument"> first,
                           Arg<"arg2", std::string, "Second test argument"> second) {
  return "Prompt with arguments: arg1='" + *first + "', arg2='" + *second + "'";
}

Task<std::string> with_question(Context& context) {
  const auto answer = co_await context.elicit<Background>("What context should the prompt use?", "user_context");
  co_return "Use this context: " + answer.context;
}

std::vector<std::string> words_starting_with(const std::string& prefix) {
  std::vector<std::string> words{"paris", "park", "party", "rome", "test", "testing"};
  std::erase_if(words, [&](const std::string& word) { return !word.starts_with(prefix); });
  return words;
}

}  // namespace

void add_prompts(Server& server) {
  server::PromptOptions simple;
  simple.title = "A simple prompt";
  simple.description = "A prompt without arguments";
  simple.icons.emplace().push_back({.src = std::string(icon), .mimeType = "image/svg+xml"});
  server.prompt("test_simple_prompt", std::move(simple), [] { return "This is a simple prompt for testing."; });
  server.prompt("test_prompt_with_arguments", "A prompt with two arguments", with_arguments);
  server.prompt("test_prompt_with_embedded_resource", "A prompt with an embedded resource", with_resource);
  server.prompt("test_prompt_with_image", "A prompt with an image", with_picture);
  server.prompt("test_input_required_result_prompt", "A prompt that elicits its context", with_question);
  for (const auto* argument : {"arg1", "arg2"}) {
    server.complete(protocol::PromptReference{.name = "test_prompt_with_arguments"}, argument, words_starting_with);
  }
}

}  // namespace fairlead::demo
