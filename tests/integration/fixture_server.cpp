// The servers that the documents' transcripts talk to, and one for tests of the pipes: fixture_server <which>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <fairlead/base/log_sinks.hpp>
#include <fairlead/base/wheel_driver.hpp>
#include <fairlead/protocol/fault.hpp>
#include <fairlead/server.hpp>
#include <fairlead/session/session.hpp>
#include <fairlead/transport/stdio.hpp>
#include <iostream>
#include <map>

#include "integration/dialogue_tools.hpp"

namespace {

using namespace fairlead;
using server::PromptOptions;
using server::ResourceOptions;
using server::ToolOptions;

constexpr auto answer_schema =
    R"({"type":"object","properties":{"query":{"type":"string"},"recency_days":{"type":"number"},)"
    R"("max_results":{"type":"number"},"domains":{"type":"array","items":{"type":"string"}},)"
    R"("style":{"enum":["summary","bullets","citations-only"]}},"required":["query"]})";

// Says what is wrong in the words of the tool that this one stands in for.
class AnswerWords final : public session::Service {
 public:
  explicit AnswerWords(session::Service& next) : next_(next) {}

  Task<Result<session::Reply>> call(session::Call& call) override {
    auto reply = co_await next_.call(call);
    const bool refused = !reply && protocol::fault_of(reply.error()) == protocol::Fault::bad_arguments;
    if (refused) reply.error().message = "query is required";
    co_return reply;
  }
  Task<void> notify(session::Notice& notice) override { return next_.notify(notice); }

 private:
  session::Service& next_;
};

// What matters here is how it is framed, found and refused.
int serve_answer() {
  Server app{"openai-responses-mcp", "1.2.3"};
  app.tool("answer",
           ToolOptions{.description = "Performs web search as needed and returns answers with evidence (including "
                                      "citations)",
                       .input_schema = Payload::trusted(answer_schema)},
           [](Context&) { return R"({"answer":"...","used_search":false,"citations":[],"model":"gpt-5"})"; });
  boost::asio::io_context io(1);
  WheelDriver timers(io.get_executor());
  StderrSink log;
  const Loop loop{io.get_executor(), timers.wheel(), log};
  const auto transport = transport::stdio_transport(loop);
  session::SessionOptions options;
  options.dialect = protocol::Dialect::answer;
  AnswerWords service(app);
  session::Session session(loop, *transport, service, std::move(options));
  bool good = false;
  boost::asio::co_spawn(io, session.run(), [&](const std::exception_ptr&, Result<void> ended) {
    good = !!ended;
    io.stop();
  });
  io.run();
  return good ? 0 : 1;
}

// It has a tool, and shows it to nobody.
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
    throw server::Failed(protocol::fault_error(protocol::Fault::resource_denied, "not yours", "file:///secret"));
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
  test::offer_tools(app);
  return app.run(1, argv);
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string_view, int (*)(char**)> servers = {
      {"answer", [](char**) { return serve_answer(); }},
      {"empty", serve_empty},
      {"chain", serve_chain},
      {"note", serve_note},
      {"dialogue", serve_dialogue},
  };
  const auto found = servers.find(argc == 2 ? argv[1] : "");
  return found == servers.end() ? 2 : found->second(argv);
}
