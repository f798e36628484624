#include <boost/asio/use_awaitable.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/session/host.hpp>
#include <fairlead/transport/descriptor_stream.hpp>
#include <fairlead/transport/framed_transport.hpp>
#include <fairlead/transport/socket.hpp>
#include <fairlead/transport/stdio.hpp>
#include <fcntl.h>
#include <unistd.h>

#include "gateway_rig.hpp"
#include "served.hpp"

/// Every way in with every way out.
namespace fairlead::gateway::test {
namespace {

/// Whoever connects to a Unix socket is a guest of the host.
class UnixDoor {
 public:
  UnixDoor(Loop loop, transport::Host& host, const std::string& path)
      : loop_(loop), host_(host), scope_(loop.executor, loop.log, "unix") {
    auto opened = transport::SocketListener::on_unix(loop, path);
    EXPECT_TRUE(opened) << path;
    if (opened) listener_ = std::move(*opened);
    scope_.spawn(accept());
  }
  void admit(std::unique_ptr<transport::Transport> guest) { scope_.spawn(serve(std::move(guest))); }
  Task<void> close() {
    listener_->close();
    scope_.cancel();
    co_await scope_.join();
  }

 private:
  Task<void> accept() {
    while (auto accepted = co_await listener_->accept()) admit(std::move(*accepted));
  }
  Task<void> serve(std::shared_ptr<transport::Transport> guest) {
    const auto hosted = host_.open(loop_, *guest, {.name = "unix"});
    co_await hosted->run();
  }

  Loop loop_;
  transport::Host& host_;
  std::unique_ptr<transport::SocketListener> listener_;
  TaskScope scope_;
};

/// How a client comes in, or how the gateway goes out.
struct End {
  std::string name;
  std::string scheme = "";  ///< Of a URL; empty for what has none.
  std::string path = "";
  std::string revision = "";
  bool lists = true;  ///< It can ask for more than to call a tool,
  bool talks = true;  ///< and can be asked and told something in between.
};

void PrintTo(const End& end, std::ostream* out) {
  *out << end.name;
}

const std::vector<End> ways_in{
    {.name = "Stdio", .revision = "2025-11-25"},
    {.name = "StatelessStdio", .revision = "2026-07-28"},
    {.name = "Http", .scheme = "http", .path = "/mcp", .revision = "2025-11-25"},
    {.name = "OldHttp", .scheme = "http", .path = "/mcp", .revision = "2025-03-26"},
    {.name = "StatelessHttp", .scheme = "http", .path = "/mcp", .revision = "2026-07-28"},
    {.name = "HttpSse", .scheme = "http", .path = "/sse", .revision = "2024-11-05"},
    {.name = "WebSocket", .scheme = "ws", .path = "/ws", .revision = "2025-11-25"},
    {.name = "Unix", .scheme = "unix", .revision = "2025-11-25"},
    {.name = "Rpc", .scheme = "rpc+http", .path = "/rpc", .lists = false, .talks = false},
    {.name = "RpcStream", .scheme = "sse+http", .path = "/rpc/stream", .lists = false, .talks = false},
    {.name = "RpcWebSocket", .scheme = "rpc+ws", .path = "/ws", .lists = false, .talks = false},
};

const std::vector<End> ways_out{
    {.name = "Child", .revision = "2025-11-25"},
    {.name = "StatelessChild", .revision = "2026-07-28"},
    {.name = "Http", .scheme = "http", .path = "/mcp", .revision = "2025-11-25"},
    {.name = "StatelessHttp", .scheme = "http", .path = "/mcp", .revision = "2026-07-28"},
    {.name = "HttpSse", .scheme = "http", .path = "/sse", .revision = "2025-11-25"},
    {.name = "WebSocket", .scheme = "ws", .path = "/ws", .revision = "2025-11-25"},
    {.name = "Unix", .scheme = "unix", .revision = "2025-11-25"},
    {.name = "Rpc", .scheme = "rpc+http", .path = "/rpc", .lists = false, .talks = false},
    {.name = "RpcStream", .scheme = "sse+http", .path = "/rpc/stream", .lists = false, .talks = false},
    {.name = "RpcWebSocket", .scheme = "rpc+ws", .path = "/ws", .lists = false, .talks = false},
};

std::string socket_path(const std::string& name) {
  return "/tmp/fairlead-" + name + "-" + std::to_string(::getpid());
}

/// A gateway with one server, reached by the way out at hand, and open to every way in.
class EveryEnd : public testing::TestWithParam<End> {
 protected:
  EveryEnd() {
    door_ =
        rig_.on_loop([&] { return std::make_unique<UnixDoor>(rig_.loop(), rig_.gateway().all(), socket_path("in")); });
  }
  ~EveryEnd() override {
    rig_.run(door_->close());
    rig_.on_loop([&] { door_.reset(); });
    rig_.stop();
    server_rig_.run(server_door_->close());
    server_rig_.on_loop([&] { server_door_.reset(); });
  }

  client::Client enter(const End& way, client::ClientOptions options = {}) {
    options.revision = way.revision;
    options.cache = false;
    if (way.scheme.empty()) return client::connect(pipes(), std::move(options));
    if (way.scheme == "unix") return client::connect("unix:" + socket_path("in"), std::move(options));
    return client::connect(rig_.url(way.path, way.scheme), std::move(options));
  }

  /// Until the gateway has noticed that its last client is gone.
  void wait_until_nobody_is_there() {
    const auto until = std::chrono::steady_clock::now() + std::chrono::minutes{1};
    const auto metrics = [&] { return rig_.on_loop([&] { return rig_.gateway().metrics(); }); };
    while (metrics().find("fairlead_sessions{door=\"/\"} 0") == std::string::npos) {
      ASSERT_LT(std::chrono::steady_clock::now(), until) << "a session is left";
      std::this_thread::sleep_for(std::chrono::milliseconds{5});
    }
  }

 private:
  ServerConfig out() {
    const auto& way = GetParam();
    server_door_ =
        server_rig_.on_loop([&] { return std::make_unique<UnixDoor>(server_rig_.loop(), host_, socket_path("out")); });
    auto server = child("server");
    if (way.scheme == "unix") server = remote("server", "unix:" + socket_path("out"));
    if (!way.path.empty()) server = remote("server", served_.url(way.path, way.scheme));
    server.revision = way.revision;
    return server;
  }

  /// What a client has who starts us: two pipes.
  client::Endpoint pipes() {
    std::array<int, 2> in = {}, back = {};
    EXPECT_EQ(::pipe2(in.data(), O_CLOEXEC) + ::pipe2(back.data(), O_CLOEXEC), 0);
    rig_.on_loop([&] {
      auto stream = std::make_unique<transport::DescriptorStream>(rig_.loop(), Descriptor(in[0]), Descriptor(back[1]));
      door_->admit(
          std::make_unique<transport::FramedTransport>(rig_.loop(), std::move(stream), transport::stdio_options()));
    });
    return client::Endpoint::Opener([=](Loop loop) -> Task<Result<std::unique_ptr<transport::Transport>>> {
      auto stream = std::make_unique<transport::DescriptorStream>(loop, Descriptor(back[0]), Descriptor(in[1]));
      std::unique_ptr<transport::Transport> framed =
          std::make_unique<transport::FramedTransport>(loop, std::move(stream));
      return opened(std::move(framed));
    });
  }
  static Task<Result<std::unique_ptr<transport::Transport>>> opened(std::unique_ptr<transport::Transport> transport) {
    co_return transport;
  }

  Served served_;
  GatewayRig server_rig_{GatewayConfig{}};  // Lends its loop to the server on a socket.
  session::SessionHost host_{served_.app, server_rig_.log()};
  std::unique_ptr<UnixDoor> server_door_;
  GatewayRig rig_{out()};
  std::unique_ptr<UnixDoor> door_;
};

TEST_P(EveryEnd, IsReachedFromEveryWayIn) {
  for (const auto& way : ways_in) {
    SCOPED_TRACE("from " + way.name + " to " + GetParam().name);
    auto client = enter(way);
    EXPECT_EQ(client.call<std::string>("echo", {{"text", way.name}}), way.name);
    EXPECT_TRUE(client.call("fail").isError.value_or(false)) << "a tool's failure stays one";
    if (!way.lists || !GetParam().lists) continue;
    EXPECT_GE(client.tools().size(), 5U);
    client.ping();
  }
}

TEST_P(EveryEnd, CarriesProgressWhereItCan) {
  for (const auto& way : ways_in) {
    if (!way.talks || !GetParam().talks) continue;
    SCOPED_TRACE("from " + way.name + " to " + GetParam().name);
    std::vector<double> steps;
    client::CallOptions options;
    options.on_progress = [&steps](const protocol::ProgressParams& progress) { steps.push_back(progress.progress); };
    EXPECT_EQ(enter(way).call<std::string>("steps", {}, options), "done");
    EXPECT_THAT(steps, testing::ElementsAre(1, 2, 3));
  }
}

TEST_P(EveryEnd, CarriesWhatTheServerAsksWhereItCan) {
  for (const auto& way : ways_in) {
    if (!way.talks || !GetParam().talks) continue;
    SCOPED_TRACE("from " + way.name + " to " + GetParam().name);
    client::ClientOptions options;
    options.roots = {protocol::Root{.uri = "file:///of/" + way.name}};
    EXPECT_EQ(enter(way, options).call<std::string>("ask"), "file:///of/" + way.name);
    // Two clients at once would be two callers, whose questions cannot be told apart.
    wait_until_nobody_is_there();
  }
}

INSTANTIATE_TEST_SUITE_P(WaysOut, EveryEnd, testing::ValuesIn(ways_out),
                         [](const auto& way) { return way.param.name; });

}  // namespace
}  // namespace fairlead::gateway::test
