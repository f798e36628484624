// Resources: by URI, by template, binary contents, and subscriptions.
#include <atomic>
#include <fairlead/client.hpp>
#include <fairlead/server.hpp>
#include <iostream>
#include <semaphore>

struct Reading {
  std::string sensor;
  double celsius;
};

std::string text_of(const fairlead::ReadResourceResult& result) {
  return std::get<fairlead::protocol::TextResourceContents>(result.contents.at(0)).text;
}

int main() {
  std::atomic<double> outside = 21.5;
  fairlead::Server app{"weather", "1.0"};

  app.resource("weather://motto", "motto", [] { return "There is no bad weather."; });
  app.resource("weather://icon", fairlead::ResourceOptions{.name = "icon", .mime_type = "image/png"},
               [] { return fairlead::BlobContents{"\x89PNG\r\n"}; });

  // A struct is returned as JSON. The template variables are the arguments, checked at compile time.
  app.resource<"weather://now/{sensor}">(
      "now", [&](fairlead::Arg<"sensor", std::string> sensor) { return Reading{*sensor, outside}; });

  std::binary_semaphore changed{0};
  fairlead::ClientOptions options;
  options.on_resource_updated = [&](const std::string& uri) {
    std::cout << uri << " has changed\n";
    changed.release();
  };
  auto client = fairlead::connect(app, options);
  for (const auto& resource : client.resources()) std::cout << resource.uri << '\n';
  for (const auto& resource_template : client.resource_templates()) std::cout << resource_template.uriTemplate << '\n';
  std::cout << text_of(client.read("weather://motto")) << '\n';

  client.subscribe("weather://now/garden");
  outside = 19;
  app.resource_updated("weather://now/garden");  // Thread-safe.
  changed.acquire();
  const auto now = text_of(client.read("weather://now/garden"));
  std::cout << now << '\n';
  return now == R"({"sensor":"garden","celsius":19})" ? 0 : 1;
}
