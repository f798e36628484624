// usage: fixture_server <which>: the servers for tests/transcripts and other tests.
#include <fairlead/protocol/protocol_error.hpp>
#include <fairlead/server.hpp>
#include <iostream>
#include <map>
#include <unistd.h>

#include "integration/sample_tools.hpp"

namespace {

using namespace fairlead;
using server::PromptOptions;
using server::ResourceOptions;

// Has one tool, which is hidden from all clients.
int serve_empty(char** argv) {
  Server app{"mcp-chain-server", "1.0.0"};
  app.tool("hidden", "", [] { return ""; });
  app.visible([](auto, auto, auto) { return false; });
  return app.run(1, argv);
}

void add_chain_tools(Server& app) {
  app.tool("get_weather", "Get current weather for a location", [](Arg<"location", std::string, "City name"> city) {
    return "The weather in " + *city + " is 72°F and sunny.";
  });
  app.tool("fail", "Fails", []() -> std::string { throw std::runtime_error("the disk is full"); });
  app.tool("touch", "Says that the report has changed", [&app] {
    app.resource_updated("file:///home/user/documents/report.pdf");
    return "touched";
  });
  app.tool("print", "Prints where a server must not", [] {
    std::cout << "printed" << std::endl;
    return "done";
  });
}

int serve_chain(char** argv) {
  Server app{"mcp-chain-server", "1.0.0"};
  app.page_size(1);
  add_chain_tools(app);
  const ResourceOptions report{
      .name = "Monthly Report", .description = "Monthly sales report", .mime_type = "application/pdf"};
  app.resource("file:///home/user/documents/report.pdf", report,
               [] { return protocol::BlobResourceContents{.uri = {}, .blob = "base64-encoded-binary-data"}; });
  app.resource("file:///secret", "Secret", []() -> std::string {
    throw server::Failed(
        protocol::protocol_error(protocol::ProtocolError::resource_denied, "not yours", "file:///secret"));
  });
  app.resource("file:///broken", "Broken", []() -> std::string { throw std::runtime_error("unreadable"); });
  app.prompt("code_review", "Review code for best practices", [](Arg<"language", std::string, "Programming language">) {
    return GetPromptResult{
        .description = "Review Python code for best practices",
        .messages = {user("Please review this Python code for best practices and suggest improvements.")}};
  });
  app.prompt("greet", "Greets", [] { return "Hello"; });
  return app.run(1, argv);
}

int serve_note(char** argv) {
  Server app{"npm-info", "1.0.0"};
  app.tool("getNpmPackageInfo", "Tells about a package", [](Arg<"packageName", std::string> name) {
    return "Package: " + *name + "\nDescription: TypeScript-first schema validation...\nLicense: MIT";
  });
  app.resource("npm://zod", "zod", [] { return "schemas"; });
  app.prompt("summary", "Sums up", [] { return "Sum up"; });
  return app.run(1, argv);
}

int serve_dialogue(char** argv) {
  Server app{"dialogue", "1.0"};
  test::add_sample_tools(app);
  return app.run(1, argv);
}

// Tools that report the process id, arguments and environment, for gateway tests.
int serve_process(int argc, char** argv) {
  Server app{"process", "1.0"};
  test::add_sample_tools(app);
  app.tool("pid", "Says which process it is", [] { return static_cast<std::int64_t>(::getpid()); });
  app.tool("words", "Says with which words it was started", [words = std::vector<std::string>(argv + 2, argv + argc)] {
    std::string all;
    for (const auto& word : words) all += "[" + word + "]";
    return all;
  });
  app.tool("variable", "Says what the environment holds", [](Arg<"name", std::string> name) {
    const char* value = std::getenv(name->c_str());
    return std::string(value ? value : "(not set)");
  });
  app.tool("die", "TransportPair at once, without an answer", []() -> std::string { std::_Exit(7); });
  app.tool("steps", "Reports progress", [](Context& context) -> Task<std::string> {
    for (int step = 1; step <= 3; ++step) co_await context.progress(step, 3);
    co_return "done";
  });
  app.resource("note://one", "one", [] { return "first"; });
  app.tool("touch", "Says that the note has changed", [&app] {
    app.resource_updated("note://one");
    return "touched";
  });
  return app.run(1, argv);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc >= 2 && std::string_view(argv[1]) == "process") return serve_process(argc, argv);
  const std::map<std::string_view, int (*)(char**)> servers = {
      {"empty", serve_empty},
      {"chain", serve_chain},
      {"note", serve_note},
      {"dialogue", serve_dialogue},
  };
  const auto found = servers.find(argc == 2 ? argv[1] : "");
  return found == servers.end() ? 2 : found->second(argv);
}
