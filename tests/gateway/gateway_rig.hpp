#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <fairlead/base/log_sinks.hpp>
#include <fairlead/base/wheel_driver.hpp>
#include <fairlead/client.hpp>
#include <fairlead/http/listener.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include "gateway/gateway.hpp"
#include "support/raw_client.hpp"

namespace fairlead::gateway::test {

using fairlead::test::RawAnswer;
using fairlead::test::RawClient;

/// A server that is a process of its own: see `serve_process` of the fixtures.
inline ServerConfig child(std::string name, std::vector<std::string> words = {}) {
  ServerConfig server{.name = std::move(name), .command = {FAIRLEAD_FIXTURE_SERVER, "process"}};
  server.command.insert(server.command.end(), words.begin(), words.end());
  return server;
}

inline ServerConfig remote(std::string name, std::string url) {
  ServerConfig server{.name = std::move(name)};
  server.url = std::move(url);
  return server;
}

inline GatewayConfig config_of(std::vector<ServerConfig> servers) {
  GatewayConfig config;
  config.servers = std::move(servers);
  return config;
}

/// For what another thread, or another process, does soon.
template <class Condition>
bool comes_true(Condition condition) {
  const auto last = std::chrono::steady_clock::now() + std::chrono::seconds{30};
  while (!condition() && std::chrono::steady_clock::now() < last) {
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
  }
  return condition();
}

/// Of this process, those that nobody has waited for included.
inline std::vector<pid_t> children() {
  std::vector<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const auto name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream file(entry.path() / "stat");
    std::string stat;
    std::getline(file, stat);
    const auto end = stat.rfind(')');
    if (end == std::string::npos || end + 4 > stat.size()) continue;
    if (std::atoi(stat.c_str() + end + 4) == ::getpid()) found.push_back(static_cast<pid_t>(std::stol(name)));
  }
  return found;
}

/// A gateway as a configuration says, on a real port and a thread of its own.
class GatewayRig {
 public:
  explicit GatewayRig(GatewayConfig config, http::ListenOptions listen = {}) : config_(std::move(config)) {
    thread_ = std::thread([this] { io_.run(); });
    const auto opened = on_loop([&]() -> Result<void> {
      if (auto applied = gateway_.apply(config_); !applied) return applied;
      const auto make = [this](Loop, std::size_t) { return std::make_unique<Entrance>(gateway_.doors()); };
      listener_ = std::make_unique<http::Listener>(loop(), std::move(listen), make);
      return listener_->open();
    });
    EXPECT_TRUE(opened) << opened.error().message;
  }
  explicit GatewayRig(ServerConfig server) : GatewayRig(config_of({std::move(server)})) {}
  GatewayRig(const GatewayRig&) = delete;
  GatewayRig& operator=(const GatewayRig&) = delete;
  ~GatewayRig() {
    stop();
    io_.stop();
    thread_.join();
  }

  /// Ends it, and all of its servers.
  void stop() {
    if (!std::exchange(stopped_, true)) run(end());
  }

  Loop loop() { return {io_.get_executor(), driver_.wheel(), log_}; }
  Gateway& gateway() { return gateway_; }
  CapturingSink& log() { return log_; }

  Result<void> apply(const GatewayConfig& config) {
    return on_loop([&] { return gateway_.apply(config); });
  }
  UpstreamState state(const std::string& server) {
    return on_loop([&] {
      for (const auto& each : gateway_.status()) {
        if (each.name == server && !each.states.empty()) return each.states.front();
      }
      return UpstreamState{};
    });
  }

  std::uint16_t port() const { return listener_->port(); }
  std::string url(const std::string& path = "/mcp", const std::string& scheme = "http") const {
    return scheme + "://127.0.0.1:" + std::to_string(port()) + path;
  }
  client::Client client(const std::string& path = "/mcp", const std::string& revision = "2025-11-25",
                        client::ClientOptions options = {}) {
    options.revision = revision;
    options.cache = false;
    return client::connect(url(path, path.ends_with("/ws") ? "ws" : "http"), std::move(options));
  }

  RawClient connect() const { return RawClient(port()); }
  RawAnswer post(const std::string& path, const std::string& body, const std::string& lines = "") const {
    auto raw = connect();
    raw.ask("POST", path, usual + lines, body);
    return raw.answer();
  }
  /// The line that names a new session.
  std::string open(const std::string& path = "/mcp", const std::string& capabilities = "{}") const {
    const auto answer =
        post(path, R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                   R"("capabilities":)" +
                       capabilities + R"(,"clientInfo":{"name":"raw","version":"1"}}})");
    EXPECT_EQ(answer.status, 200) << answer.head << answer.body;
    const auto at = answer.head.find("Mcp-Session-Id: ");
    if (at == std::string::npos) return "";
    auto line = answer.head.substr(at, answer.head.find("\r\n", at) + 2 - at);
    post(path, R"({"jsonrpc":"2.0","method":"notifications/initialized"})", line);
    return line;
  }

  /// Something that is quickly done, on the gateway's loop.
  template <class F>
  std::invoke_result_t<F> on_loop(F action) {
    std::packaged_task<std::invoke_result_t<F>()> task(std::move(action));
    auto done = task.get_future();
    boost::asio::post(io_, std::move(task));
    return done.get();
  }
  void run(Task<void> task) {
    std::promise<void> done;
    boost::asio::co_spawn(io_, std::move(task), [&done](const std::exception_ptr& failure) {
      if (failure) return done.set_exception(failure);
      done.set_value();
    });
    done.get_future().get();
  }

  inline static const std::string usual =
      "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";

 private:
  Task<void> end() {
    constexpr Duration drain = std::chrono::seconds{1};
    if (listener_) co_await listener_->close(drain);
    co_await gateway_.stop();
  }

  GatewayConfig config_;
  CapturingSink log_;
  boost::asio::io_context io_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> busy_{io_.get_executor()};
  WheelDriver driver_{io_.get_executor()};
  Gateway gateway_{loop(), Registry::standard()};
  std::unique_ptr<http::Listener> listener_;
  std::thread thread_;
  bool stopped_ = false;
};

/// A call of a tool, as a client of the handshake era writes it.
inline std::string raw_call(const std::string& id, const std::string& tool, const std::string& arguments = "{}") {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"tools/call","params":{"name":")" + tool +
         R"(","arguments":)" + arguments + "}}";
}

/// What a blocking call failed with.
inline Error failure_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const client::Failure& failed) {
    return failed.error();
  }
  ADD_FAILURE() << "nothing failed";
  return {};
}

}  // namespace fairlead::gateway::test
