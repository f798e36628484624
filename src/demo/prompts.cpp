#include <algorithm>

#include "base/ascii.hpp"
#include "demo/features.hpp"
#include "demo/sample_media.hpp"

namespace fairlead::demo {
namespace {

std::string plan_trip(Arg<"city", std::string, "Where to"> city,
                      Arg<"days", std::optional<std::string>, "How long, in days; 3 by default"> days) {
  return "Plan a trip to " + *city + " of " + days->value_or("3") + " days. Ask the tool weather for the temperature.";
}

std::vector<PromptMessage> describe_picture() {
  PromptMessage shown;
  shown.content = ImageContent{.data = std::string(png), .mimeType = "image/png"};
  std::vector<PromptMessage> messages;
  messages.push_back(std::move(shown));
  messages.push_back(user("Describe the picture above."));
  return messages;
}

server::PromptOptions described(std::string title, std::string description) {
  server::PromptOptions options;
  options.title = std::move(title);
  options.description = std::move(description);
  options.icons.emplace().push_back({.src = std::string(icon), .mimeType = "image/svg+xml"});
  return options;
}

}  // namespace

std::vector<std::string> cities_beginning_with(const std::string& prefix) {
  std::vector<std::string> cities{"Lima", "Lisbon", "London", "Nairobi", "Oslo", "Paris", "Rome", "Tokyo"};
  std::erase_if(cities, [&](const std::string& city) {
    return !std::ranges::equal(prefix, city.substr(0, prefix.size()), {}, ascii::lower, ascii::lower);
  });
  return cities;
}

void add_prompts(Server& server) {
  server.prompt("plan_trip", described("Plan a trip", "A prompt with arguments that clients complete"), plan_trip);
  server.complete(protocol::PromptReference{.name = "plan_trip"}, "city", cities_beginning_with);
  server.prompt("describe_picture", described("Describe a picture", "A prompt with a picture"), describe_picture);
}

}  // namespace fairlead::demo
