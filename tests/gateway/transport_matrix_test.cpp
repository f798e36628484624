#include <fairlead/base/task_scope.hpp>
#include <fairlead/session/service_session_factory.hpp>
#include <fairlead/transport/descriptor_stream.hpp>
#include <fairlead/transport/framed_transport.hpp>
#include <fairlead/transport/socket.hpp>
#include <fairlead/transport/stdio.hpp>
#include <fcntl.h>
#include <unistd.h>

#include "gateway/fixtures/gateway_rig.hpp"
#include "gateway/fixtures/http_test_server.hpp"

/// Every client transport with every server transport.
namespace fairlead::gateway::test {
namespace {

/// Opens a session for every connection to a Unix socket.
class UnixListener {
 public:
  UnixListener(EventLoop loop, transport::SessionFactory& host, const std::string& path)
      : loop_(loop), host_(host), scope_(loop.executor, loop.log, "unix") {
    auto opened = transport::SocketListener::on_unix(loop, path);
    EXPECT_TRUE(opened) << path;
    if (opened) listener_ = std::move(*opened);
    scope_.spawn(accept());
  }
  void admit(std::unique_ptr<transport::Transport> incoming) { scope_.spawn(serve(std::move(incoming))); }
  Task<void> close() {
    listener_->close();
    scope_.cancel();
    co_await scope_.join();
  }

 private:
  Task<void> accept() {
    while (auto accepted = co_await listener_->accept()) admit(std::move(*accepted));
  }
  Task<void> serve(std::shared_ptr<transport::Transport> incoming) {
    const auto hosted = host_.open(loop_, *incoming, {.name = "unix"});
    co_await hosted->run();
  }

  EventLoop loop_;
  transport::SessionFactory& host_;
  std::unique_ptr<transport::SocketListener> listener_;
  TaskScope scope_;
};

/// A transport of a client or of a server.
struct TransportCase {
  std::string name;
  std::string scheme = "";  ///< URL scheme; empty if there is no URL.
  std::string path = "";
  std::string revision = "";
  bool lists = true;          ///< Supports more than tool calls.
  bool bidirectional = true;  ///< Supports server requests and notifications during a call.
};

void PrintTo(const TransportCase& end, std::ostream* out) {
  *out << end.name;
}

const std::vector<TransportCase> client_transports{
    {.name = "Stdio", .revision = "2025-11-25"},
    {.name = "StatelessStdio", .revision = "2026-07-28"},
    {.name = "Http", .scheme = "http", .path = "/mcp", .revision = "2025-11-25"},
    {.name = "OldHttp", .scheme = "http", .path = "/mcp", .revision = "2025-03-26"},
    {.name = "StatelessHttp", .scheme = "http", .path = "/mcp", .revision = "2026-07-28"},
    {.name = "HttpSse", .scheme = "http", .path = "/sse", .revision = "2024-11-05"},
    {.name = "WebSocket", .scheme = "ws", .path = "/ws", .revision = "2025-11-25"},
    {.name = "Unix", .scheme = "unix", .revision = "2025-11-25"},
    {.name = "Rpc", .scheme = "rpc+http", .path = "/rpc", .lists = false, .bidirectional = false},
    {.name = "RpcStream", .scheme = "sse+http", .path = "/rpc/stream", .lists = false, .bidirectional = false},
    {.name = "RpcWebSocket", .scheme = "rpc+ws", .path = "/ws", .lists = false, .bidirectional = false},
};

const std::vector<TransportCase> server_transports{
    {.name = "Child", .revision = "2025-11-25"},
    {.name = "StatelessChild", .revision = "2026-07-28"},
    {.name = "Http", .scheme = "http", .path = "/mcp", .revision = "2025-11-25"},
    {.name = "StatelessHttp", .scheme = "http", .path = "/mcp", .revision = "2026-07-28"},
    {.name = "HttpSse", .scheme = "http", .path = "/sse", .revision = "2025-11-25"},
    {.name = "WebSocket", .scheme = "ws", .path = "/ws", .revision = "2025-11-25"},
    {.name = "Unix", .scheme = "unix", .revision = "2025-11-25"},
    {.name = "Rpc", .scheme = "rpc+http", .path = "/rpc", .lists = false, .bidirectional = false},
    {.name = "RpcStream", .scheme = "sse+http", .path = "/rpc/stream", .lists = false, .bidirectional = false},
    {.name = "RpcWebSocket", .scheme = "rpc+ws", .path = "/ws", .lists = false, .bidirectional = false},
};

std::string socket_path(const std::string& name) {
  return "/tmp/fairlead-" + name + "-" + std::to_string(::getpid());
}

/// A gateway with one server of the current transport, and all client transports.
class TransportMatrix : public testing::TestWithParam<TransportCase> {
 protected:
  TransportMatrix() {
    unix_listener_ = rig_.on_loop([&] {
      return std::make_unique<UnixListener>(rig_.loop(), rig_.gateway().session_factory(), socket_path("in"));
    });
  }
  ~TransportMatrix() override {
    rig_.run(unix_listener_->close());
    rig_.on_loop([&] { unix_listener_.reset(); });
    rig_.stop();
    server_rig_.run(server_unix_listener_->close());
    server_rig_.on_loop([&] { server_unix_listener_.reset(); });
  }

  client::Client connect_by(const TransportCase& transport, client::ClientOptions options = {}) {
    options.revision = transport.revision;
    options.cache = false;
    if (transport.scheme.empty()) return client::connect(pipes(), std::move(options));
    if (transport.scheme == "unix") return client::connect("unix:" + socket_path("in"), std::move(options));
    return client::connect(rig_.url(transport.path, transport.scheme), std::move(options));
  }

  /// Waits until the gateway has closed its last session.
  void wait_until_all_sessions_end() {
    const auto until = std::chrono::steady_clock::now() + std::chrono::minutes{1};
    const auto metrics = [&] { return rig_.on_loop([&] { return rig_.gateway().metrics(); }); };
    while (metrics().find("fairlead_sessions{endpoint=\"/\"} 0") == std::string::npos) {
      ASSERT_LT(std::chrono::steady_clock::now(), until) << "a session is still open";
      std::this_thread::sleep_for(std::chrono::milliseconds{5});
    }
  }

 private:
  ServerConfig out() {
    const auto& transport = GetParam();
    server_unix_listener_ = server_rig_.on_loop(
        [&] { return std::make_unique<UnixListener>(server_rig_.loop(), host_, socket_path("out")); });
    auto server = child("server");
    if (transport.scheme == "unix") server = remote("server", "unix:" + socket_path("out"));
    if (!transport.path.empty()) server = remote("server", http_server_.url(transport.path, transport.scheme));
    server.revision = transport.revision;
    return server;
  }

  /// The two pipes of a client over stdio.
  client::Endpoint pipes() {
    std::array<int, 2> in = {}, back = {};
    EXPECT_EQ(::pipe2(in.data(), O_CLOEXEC) + ::pipe2(back.data(), O_CLOEXEC), 0);
    rig_.on_loop([&] {
      auto stream = std::make_unique<transport::DescriptorStream>(rig_.loop(), Descriptor(in[0]), Descriptor(back[1]));
      unix_listener_->admit(
          std::make_unique<transport::FramedTransport>(rig_.loop(), std::move(stream), transport::stdio_options()));
    });
    return client::Endpoint::Opener([=](EventLoop loop) -> Task<Result<std::unique_ptr<transport::Transport>>> {
      auto stream = std::make_unique<transport::DescriptorStream>(loop, Descriptor(back[0]), Descriptor(in[1]));
      std::unique_ptr<transport::Transport> framed =
          std::make_unique<transport::FramedTransport>(loop, std::move(stream));
      return opened(std::move(framed));
    });
  }
  static Task<Result<std::unique_ptr<transport::Transport>>> opened(std::unique_ptr<transport::Transport> transport) {
    co_return transport;
  }

  HttpTestServer http_server_;
  GatewayRig server_rig_{GatewayConfig{}};  // Provides the event loop for the server on a socket.
  session::ServiceSessionFactory host_{http_server_.app};
  std::unique_ptr<UnixListener> server_unix_listener_;
  GatewayRig rig_{out()};
  std::unique_ptr<UnixListener> unix_listener_;
};

TEST_P(TransportMatrix, ServesEveryClientTransport) {
  for (const auto& transport : client_transports) {
    SCOPED_TRACE("from " + transport.name + " to " + GetParam().name);
    auto client = connect_by(transport);
    EXPECT_EQ(client.call<std::string>("echo", {{"text", transport.name}}), transport.name);
    EXPECT_TRUE(client.call("fail").isError.value_or(false)) << "a tool error stays a tool error";
    if (!transport.lists || !GetParam().lists) continue;
    EXPECT_GE(client.tools().size(), 5U);
    client.ping();
  }
}

TEST_P(TransportMatrix, SendsProgressWherePossible) {
  for (const auto& transport : client_transports) {
    if (!transport.bidirectional || !GetParam().bidirectional) continue;
    SCOPED_TRACE("from " + transport.name + " to " + GetParam().name);
    std::vector<double> steps;
    client::CallOptions options;
    options.on_progress = [&steps](const protocol::ProgressParams& progress) { steps.push_back(progress.progress); };
    EXPECT_EQ(connect_by(transport).call<std::string>("steps", {}, options), "done");
    EXPECT_THAT(steps, testing::ElementsAre(1, 2, 3));
  }
}

TEST_P(TransportMatrix, ForwardsServerRequestsWherePossible) {
  for (const auto& transport : client_transports) {
    if (!transport.bidirectional || !GetParam().bidirectional) continue;
    SCOPED_TRACE("from " + transport.name + " to " + GetParam().name);
    client::ClientOptions options;
    options.roots = {protocol::Root{.uri = "file:///of/" + transport.name}};
    EXPECT_EQ(connect_by(transport, options).call<std::string>("ask"), "file:///of/" + transport.name);
    // Two concurrent clients would be two callers, whose server requests cannot be attributed.
    wait_until_all_sessions_end();
  }
}

INSTANTIATE_TEST_SUITE_P(ServerTransports, TransportMatrix, testing::ValuesIn(server_transports),
                         [](const auto& transport) { return transport.param.name; });

}  // namespace
}  // namespace fairlead::gateway::test
