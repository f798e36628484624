#pragma once

#include <atomic>
#include <chrono>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/log_sinks.hpp>
#include <fairlead/http/listener.hpp>
#include <fairlead/server.hpp>
#include <fairlead/session/service_session_factory.hpp>
#include <fairlead/transport/mcp_http_handler.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "integration/sample_tools.hpp"
#include "support/raw_client.hpp"

namespace fairlead::test {

/// A Fairlead server on a real port, with all MCP endpoints over HTTP, on its own threads.
class HttpServerFixture {
 public:
  explicit HttpServerFixture(std::size_t workers = 2, http::ListenOptions listen = {},
                             transport::McpHttpOptions front = {})
      : host_(app_),
        workers_(workers, log_),
        front_(std::move(front)),
        listener_(workers_, log_, std::move(listen), maker()) {
    front_.workers = workers;
    add_sample_tools(app_);
    app_.tool("whoami", "Says who calls", [](Context& context) { return context.principal(); });
    app_.tool("hold", "Notes that it was cancelled", [this](Context&) -> Task<std::string> { return hold(); });
    const auto opened = listener_.open();
    if (!opened) ADD_FAILURE() << opened.error().message;
    workers_.start();
  }
  ~HttpServerFixture() { listener_.stop(std::chrono::seconds{1}); }

  Server& app() { return app_; }
  http::Listener& listener() { return listener_; }
  CapturingSink& log() { return log_; }
  RawClient connect() { return RawClient(listener_.port()); }

  RawAnswer send_request(std::string_view method, std::string_view target, std::string_view lines = "",
                         std::string_view body = "") {
    auto client = connect();
    client.send_request(method, target, lines, body);
    return client.answer();
  }
  RawAnswer post(std::string_view target, std::string_view body, std::string lines = "") {
    return send_request("POST", target, usual + lines, body);
  }

  /// Opens a session. Returns its Mcp-Session-Id header line.
  std::string open(std::string_view version = "2025-11-25", std::string lines = "") {
    const auto answer = post("/mcp",
                             R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":")" +
                                 std::string(version) + R"(","capabilities":{"roots":{}}}})",
                             std::move(lines));
    EXPECT_EQ(answer.status, 200) << answer.head << answer.body;
    const auto at = answer.head.find("Mcp-Session-Id: ");
    return at == std::string::npos ? "" : answer.head.substr(at, answer.head.find("\r\n", at) + 2 - at);
  }

  int held() const { return held_; }
  int cancelled() const { return cancelled_; }

  inline static const std::string usual =
      "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";

 private:
  http::MakeHandler maker() {
    return [this](EventLoop loop, std::size_t worker) {
      return transport::make_mcp_http_handler(loop, worker, host_, front_);
    };
  }

  Task<std::string> hold() {
    struct Note {
      std::atomic<int>& cancelled;
      ~Note() { ++cancelled; }
    };
    const Note note{cancelled_};
    ++held_;
    boost::asio::steady_timer never(co_await this_task::executor, boost::asio::steady_timer::time_point::max());
    co_await never.async_wait(use_task);
    co_return "woken";
  }

  CapturingSink log_;
  std::atomic<int> held_ = 0;
  std::atomic<int> cancelled_ = 0;
  Server app_{"rig", "1.0"};
  session::ServiceSessionFactory host_;
  Workers workers_;
  transport::McpHttpOptions front_;
  http::Listener listener_;
};

/// All endpoints, with their methods.
inline const std::vector<std::pair<std::string, std::string>> mcp_endpoints{
    {"POST", "/mcp"},      {"GET", "/mcp"},  {"DELETE", "/mcp"},      {"GET", "/sse"},
    {"POST", "/messages"}, {"POST", "/rpc"}, {"POST", "/rpc/stream"}, {"GET", "/ws"}};

inline const std::string upgrade =
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

/// A text frame as a client sends it, of at most 65535 bytes.
inline std::string masked(std::string_view text) {
  constexpr std::size_t longest_short = 125;
  std::string frame{'\x81'};
  if (text.size() <= longest_short) {
    frame += static_cast<char>(0x80 | text.size());
  } else {
    frame += '\xfe';
    frame += static_cast<char>(text.size() >> 8);
    frame += static_cast<char>(text.size() & 0xff);
  }
  return frame.append(4, '\0').append(text);
}

inline bool contains(const std::string& text, std::string_view what) {
  return text.find(what) != std::string::npos;
}

/// Waits until another thread makes the condition true; at most 20 seconds.
template <class Condition>
bool eventually(Condition condition) {
  const auto last = std::chrono::steady_clock::now() + std::chrono::seconds{20};
  while (!condition() && std::chrono::steady_clock::now() < last)
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
  return condition();
}

/// A tools/call request.
inline std::string tool_call(int id, std::string_view tool, std::string_view arguments = "{}") {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"tools/call","params":{"name":")" +
         std::string(tool) + R"(","arguments":)" + std::string(arguments) + "}}";
}

/// A stateless tools/call request; stateless_lines() returns its headers.
inline std::string stateless_call(int id, std::string_view tool, std::string_view arguments = "{}") {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"tools/call","params":{"name":")" +
         std::string(tool) + R"(","arguments":)" + std::string(arguments) +
         R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
         R"("io.modelcontextprotocol/clientCapabilities":{}}}})";
}
inline std::string stateless_lines(std::string_view tool) {
  return "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: " + std::string(tool) + "\r\n";
}

}  // namespace fairlead::test
