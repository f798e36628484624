#pragma once

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fairlead/gateway/record.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

#include "gateway/bridge_rig.hpp"
#include "gateway/record/replay_client.hpp"

namespace fairlead::gateway::test {

/// A file that goes with the test.
class RecordPath {
 public:
  explicit RecordPath(const std::string& name)
      : path_(std::filesystem::temp_directory_path() /
              ("fairlead-" + std::to_string(::getpid()) + "-" + std::to_string(++count()) + "-" + name)) {
    std::filesystem::remove(path_);
  }
  RecordPath(const RecordPath&) = delete;
  RecordPath& operator=(const RecordPath&) = delete;
  ~RecordPath() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }

  std::string text() const { return path_.string(); }
  std::string content() const {
    std::ifstream file(path_);
    std::ostringstream all;
    all << file.rdbuf();
    return all.str();
  }
  void write(const std::string& content) const { std::ofstream(path_) << content; }

 private:
  static int& count() {
    static int files = 0;
    return files;
  }
  std::filesystem::path path_;
};

/// A server with something of everything, and a client that uses it.
struct RecordedSession {
  struct Yes {
    bool yes = false;
  };

  RecordedSession() {
    app.tool("add", "Adds", [this](Arg<"a", int> a, Arg<"b", int> b) { return a + b + too_much; });
    app.tool("steps", "Reports progress", [](Context& context) -> Task<std::string> {
      for (int step = 1; step <= 3; ++step) co_await context.progress(step, 3);
      co_return "done";
    });
    app.tool("say", "Logs", [this](Context& context) -> Task<std::string> {
      co_await context.log(LoggingLevel::warning, what_it_says);
      co_return "said";
    });
    app.tool("confirm", "Asks twice", [](Context& context) -> Task<std::string> {
      auto first = co_await context.elicit<Yes>("Once?");
      auto second = co_await context.elicit<Yes>("Twice?");
      co_return first.yes&& second.yes ? "yes" : "no";
    });
    app.tool("login", "Takes a secret",
             [](Arg<"password", std::string>) { return "welcome, token is sk-very-secret"; });
    app.tool("touch", "Changes a resource", [this] {
      app.resource_updated("note://one");
      return "touched";
    });
    app.tool("fail", "Fails", []() -> Result<std::string> { return fairlead::fail(ErrorKind::invalid, "no luck"); });
    app.resource("note://one", "one", [] { return "first"; });
    app.prompt("greet", "Greets", [](Arg<"name", std::string> name) { return user("Hello " + *name); });
  }

  ClientOptions options() {
    ClientOptions options;
    options.on_form = [](protocol::ElicitFormParams) -> Task<protocol::ElicitResult> {
      protocol::ElicitResult accepted{.action = protocol::ElicitAction::accept};
      accepted.content = json::Payload::trusted(R"({"yes":true})");
      co_return accepted;
    };
    options.on_log = [this](const protocol::LoggingMessageParams& message) {
      heard.push_back("log " + std::string(message.data.text()));
    };
    options.on_resource_updated = [this](const std::string& uri) { heard.push_back("updated " + uri); };
    return options;
  }

  Task<void> note(Connection& server, std::string tool, client::Arguments arguments) {
    client::CallOptions call{.on_progress = [this](const protocol::ProgressParams& progress) {
      heard.push_back("progress " + std::to_string(static_cast<int>(progress.progress)));
    }};
    auto result = co_await server.call<std::string>(tool, std::move(arguments), std::move(call));
    heard.push_back(tool + ": " + (result ? *result : "!" + result.error().message));
  }

  Task<Result<void>> talk(Connection& server) {
    auto tools = co_await server.tools();
    heard.push_back(std::to_string(tools ? tools->size() : 0) + " tools");
    auto level = co_await server.set_log_level(LoggingLevel::info);
    EXPECT_TRUE(level) << level.error().message;
    client::Arguments sum{{"a", 1}, {"b", 2}};
    auto three = co_await server.call<int>("add", std::move(sum));
    heard.push_back("add: " + std::to_string(three.value_or(-1)));
    for (const auto* tool : {"steps", "say", "confirm", "fail"}) {
      client::Arguments none;
      co_await note(server, tool, std::move(none));
    }
    client::Arguments secret{{"password", "open-sesame"}};
    co_await note(server, "login", std::move(secret));
    auto missing = co_await server.read("note://none");
    heard.push_back(missing ? "found" : "!" + missing.error().message);
    auto subscribed = co_await server.subscribe("note://one");
    EXPECT_TRUE(subscribed) << subscribed.error().message;
    client::Arguments none;
    co_await note(server, "touch", std::move(none));
    const auto executor = co_await boost::asio::this_coro::executor;
    const auto is_told = [this] { return std::ranges::find(heard, "updated note://one") != heard.end(); };
    for (int i = 0; i < 100000 && !is_told(); ++i) co_await boost::asio::post(executor, boost::asio::use_awaitable);
    std::map<std::string, std::string> name{{"name", "Ada"}};
    auto prompt = co_await server.prompt("greet", std::move(name));
    EXPECT_TRUE(prompt) << prompt.error().message;
    co_return Result<void>();
  }

  /// One session with the middleware before the server; what the client heard, in an order that no race decides.
  std::vector<std::string> run(BridgeRig& rig, const std::string& revision, const Chain& chain) {
    heard.clear();
    rig.room().set_chain(chain);
    rig.run(revision, options(), [this](Connection& server) { return talk(server); });
    std::ranges::sort(heard);
    return heard;
  }

  /// The file of a session.
  std::vector<std::string> record_to(const std::string& path, const std::string& client, const std::string& server) {
    BridgeRig rig(app, server);
    auto recorder = record({.path = path, .secrets = {"sk-very-secret"}}, rig.loop().loop());
    EXPECT_TRUE(recorder) << recorder.error().message;
    return run(rig, client, chain().then(std::shared_ptr<Middleware>(std::move(*recorder))));
  }

  ReplayReport replay_to_server(const std::string& path, const std::string& server, ReplayClientOptions how = {}) {
    BridgeRig rig(app, server);
    auto recording = read_recording(path);
    EXPECT_TRUE(recording) << recording.error().message;
    return rig.loop().run(
        replay_as_client(rig.loop().loop(), rig.room().behind_front(), std::move(*recording), std::move(how)));
  }

  server::Server app{"behind", "1.0"};
  std::vector<std::string> heard;
  int too_much = 0;
  std::string what_it_says = "careful";
};

}  // namespace fairlead::gateway::test
