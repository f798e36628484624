#include <fairlead/protocol/revision.hpp>
#include <optional>

#include "interop/background_process.hpp"
#include "interop/peer.hpp"

namespace fairlead::interop::v2_http_test {
namespace {

using client::EraPreference;
using testing::ElementsAre;

/// v2_server.mjs over Streamable HTTP.
struct V2Http : Peer {
  Client server(std::vector<std::string> arguments = {}) {
    const int port = free_port();
    std::vector<std::string> command{node(), fs::path(FAIRLEAD_INTEROP) / "v2_server.mjs", "--http",
                                     std::to_string(port)};
    command.insert(command.end(), arguments.begin(), arguments.end());
    background.emplace(std::move(command), port);
    return connect("http://127.0.0.1:" + std::to_string(port) + "/mcp", options);
  }

  std::optional<Background> background;
};

TEST_F(V2Http, UsesTheNewestRevision) {
  auto v2 = server();
  EXPECT_EQ(v2.server().revision->name, "2026-07-28");
  EXPECT_EQ(v2.server().info.name, "v2");
  EXPECT_EQ(v2.call<std::string>("echo", {{"text", "Grüße"}}), "Grüße");
  EXPECT_EQ(text_of(v2.prompt("greeting", {{"name", "Ann"}}).messages.front()), "Hello Ann");
  EXPECT_EQ(contents_of(v2.read("about://ships")), "about ships");
  v2.ping();
}

TEST_F(V2Http, ReportsProgressAndLogs) {
  options.on_log = [this](const protocol::LoggingMessageParams& log_params) {
    received.add(std::string(log_params.data.text()));
  };
  auto v2 = server();
  CallOptions call;
  std::atomic<int> steps = 0;
  call.on_progress = [&](const protocol::ProgressParams&) { ++steps; };
  EXPECT_EQ(v2.call<std::string>("steps", {}, call), "done");
  EXPECT_EQ(steps, 3);
  v2.set_log_level(protocol::LoggingLevel::warning);
  v2.call("say");
  EXPECT_THAT(received.first(1), ElementsAre(R"({"careful":true})"));
}

TEST_F(V2Http, RequestsInputInResults) {
  options.on_elicit = [](const protocol::ElicitFormParams&) { return accepted(R"({"name":"Ann"})"); };
  EXPECT_EQ(server().call<std::string>("greet"), "Hello, Ann!");
}

TEST_F(V2Http, SeesCancellationAsClosedStream) {
  auto v2 = server();
  std::stop_source stop;
  CallOptions call;
  call.timeouts = session::Timeouts{.idle = std::chrono::milliseconds{300}};
  const auto result = v2.wait(v2.async().call("sleep", {}, call), stop.get_token());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::timeout);
  EXPECT_EQ(v2.call<std::string>("echo", {{"text", "next"}}), "next");
}

TEST_F(V2Http, AcceptsAHandshake) {
  options.era = EraPreference::handshake;
  auto v2 = server();
  EXPECT_EQ(v2.server().revision->name, "2025-11-25");
  EXPECT_EQ(v2.call<std::string>("echo", {{"text", "hello"}}), "hello");
}

TEST_F(V2Http, StatelessServerRejectsHandshake) {
  options.era = EraPreference::handshake;
  try {
    server({"--newest-only"});
    FAIL() << "it was reached";
  } catch (const client::Failure& refused) {
    EXPECT_EQ(refused.error().code, -32022);
  }
}

}  // namespace
}  // namespace fairlead::interop::v2_http_test
