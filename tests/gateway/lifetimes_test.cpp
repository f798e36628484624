#include <fairlead/gateway/chain.hpp>
#include <fairlead/server.hpp>
#include <fairlead/transport/memory.hpp>
#include <stop_token>

#include "gateway/chain/backend_with_chain.hpp"
#include "gateway/fixtures/manual_loop.hpp"
#include "gateway/routing/virtual_server.hpp"
#include "gateway/upstream/session_notifier.hpp"
#include "gateway/upstream/upstream.hpp"

/// Objects that end while they are in use: streams that disconnect during a notification, servers that a reload removes
/// while their lists are fetched. Each test repeats its scenario and interrupts it one step of the event loop later
/// each time.
namespace fairlead::gateway::test::lifetimes_test {
namespace {

using session::Call;
using session::Notification;
using session::Reply;
using testing::AnyOf;
using testing::HasSubstr;

constexpr const char* tools_changed = "notifications/tools/list_changed";
constexpr const char* tools_only = R"({"notifications":{"toolsListChanged":true}})";

/// A bidirectional middleware that changes nothing.
struct PassThroughMiddleware final : BidirectionalMiddleware {};

Chain pass_through_chain() {
  return chain().then(std::shared_ptr<Middleware>(std::make_shared<PassThroughMiddleware>()));
}

/// A backend whose list of tools changes, and which sends notifications.
class ChangingServer final : public Backend {
 public:
  explicit ChangingServer(std::string name) : name_(std::move(name)) {
    description_.info.name = name_;
    description_.capabilities.tools = protocol::ListChanged{.listChanged = true};
  }

  void change() {
    ++version_;
    send_notification(tools_changed);
  }
  void send_notification(const std::string& method) {
    notifier_.notify(Notification{.method = method, .params = json::Payload::trusted("{}")});
  }

  const std::string& name() const override { return name_; }
  Task<Result<client::ServerDescription>> describe() override { co_return description_; }
  const client::ServerDescription* last_description() const override { return &description_; }
  Task<Result<Reply>> call(Call& call) override {
    if (call.method != "tools/list") co_return fail(ErrorKind::refused, "this server has tools only");
    const auto tool = name_ + "-" + std::to_string(version_);
    co_return Reply{.body = json::Payload::trusted(R"({"tools":[{"name":")" + tool + R"(","inputSchema":{}}]})")};
  }
  Task<void> notify(Notification&) override { co_return; }
  std::unique_ptr<session::SessionHook> on_session_open(session::SessionRef session) override {
    return notifier_.add_session(std::move(session));
  }

 private:
  std::string name_;
  int version_ = 0;
  client::ServerDescription description_ = {};
  SessionNotifier notifier_{[](const std::vector<std::string>&) {}};
};

/// A virtual server with two backends, on an event loop that runs step by step.
struct TwoServers {
  TwoServers() {
    virtual_server.emplace(manual.loop(), "virtual server", AggregatorOptions{.info = {.name = "virtual server"}});
    virtual_server->set_servers(slots());
    virtual_server->set_chain(pass_through_chain());
  }
  TwoServers(const TwoServers&) = delete;
  TwoServers& operator=(const TwoServers&) = delete;
  ~TwoServers() {
    manual.run(virtual_server->stop());
    virtual_server.reset();
    manual.poll();
  }

  std::vector<BackendSlot> slots() const {
    return {{.backend = std::make_shared<BackendWithChain>(pass_through_chain(), first)}, {.backend = second}};
  }
  /// Runs at most this many steps. False if there were fewer.
  bool run_steps(std::size_t steps) {
    manual.io().restart();
    for (std::size_t i = 0; i < steps; ++i) {
      if (manual.io().poll_one() == 0) return false;
    }
    return true;
  }
  void settle() {
    manual.poll();
    manual.pass(std::chrono::seconds{1});
  }

  ManualLoop manual;
  std::shared_ptr<ChangingServer> first = std::make_shared<ChangingServer>("first");
  std::shared_ptr<ChangingServer> second = std::make_shared<ChangingServer>("second");
  std::optional<VirtualServer> virtual_server;
};

/// An open `subscriptions/listen` of a client.
struct OpenStream {
  explicit OpenStream(TwoServers& on) : stage(on), back(on.manual.loop().executor) {
    call = call_in("2026-07-28", "subscriptions/listen", tools_only);
    call.context.id = jsonrpc::Id(1);
    call.context.peer = &back;
    call.context.peer_closed = over.get_token();
    answer = stage.manual.start(listening(stage.virtual_server->service(), call));
    stage.settle();
  }

  static Task<Result<Reply>> listening(session::Service& service, Call& call) { co_return co_await service.call(call); }

  TwoServers& stage;
  FakePeerChannel back;
  std::stop_source over;
  Call call;
  std::shared_ptr<Started<Result<Reply>>> answer;
};

TEST(Lifetimes, Finding_S1_AStreamMayEndAtAnyStepOfANotification) {
  bool more = true;
  for (std::size_t step = 0; more; ++step) {
    TwoServers stage;
    OpenStream stream(stage);
    ASSERT_FALSE(stream.answer->done()) << "the stream is open";
    stage.first->change();
    stage.second->change();
    more = stage.run_steps(step);
    stream.over.request_stop();
    stage.settle();
    EXPECT_TRUE(stream.answer->done()) << "after step " << step;
    stage.first->change();
    stage.settle();
  }
}

TEST(Lifetimes, Finding_S1_AStreamMayBeCancelledAtAnyStepOfANotification) {
  bool more = true;
  for (std::size_t step = 0; more; ++step) {
    TwoServers stage;
    OpenStream stream(stage), other(stage);
    stage.first->change();
    more = stage.run_steps(step);
    stage.manual.give_up(stream.answer);
    stage.settle();
    EXPECT_TRUE(stream.answer->done()) << "after step " << step;
    EXPECT_FALSE(other.answer->done());
    EXPECT_THAT(other.back.notifications.back(), HasSubstr(tools_changed)) << "after step " << step;
    other.over.request_stop();
    stage.settle();
  }
}

/// A client that reads on demand.
struct SlowReader final : session::Service {
  explicit SlowReader(boost::asio::any_io_executor executor) : reads(std::move(executor)) {}
  Task<Result<Reply>> call(Call&) override { co_return Reply{}; }
  Task<void> notify(Notification& notice) override {
    while (stalled) co_await reads.wait();
    received.push_back(notice.method);
  }

  bool stalled = true;
  AsyncEvent reads;
  std::vector<std::string> received = {};
};

TEST(Lifetimes, Finding_S1_AReloadDropsNotificationsForAStalledClient) {
  TwoServers stage;
  SlowReader client(stage.manual.loop().executor);
  TaskScope tasks(stage.manual.loop().executor, stage.manual.log(), "client");
  auto hook = stage.virtual_server->service().on_session_open({.key = 77, .peer = client, .tasks = tasks});
  for (int i = 0; i < 3; ++i) stage.first->send_notification("notifications/message");
  stage.settle();
  stage.virtual_server->set_servers({{.backend = stage.second}});
  stage.settle();
  client.stalled = false;
  client.reads.notify();
  stage.settle();
  EXPECT_LE(client.received.size(), 5U);
  tasks.cancel();
  stage.manual.run(tasks.join());
  hook.reset();
}

TEST(Lifetimes, Finding_S1_AReloadMayComeAtAnyStepOfAChange) {
  bool more = true;
  for (std::size_t step = 0; more; ++step) {
    TwoServers stage;
    OpenStream stream(stage);
    stage.first->change();
    more = stage.run_steps(step);
    stage.virtual_server->set_servers({{.backend = stage.second}});
    stage.virtual_server->set_chain(chain());
    stage.first->change();
    stage.settle();
    stage.virtual_server->set_servers(stage.slots());
    stage.settle();
    stream.over.request_stop();
    stage.settle();
    EXPECT_TRUE(stream.answer->done()) << "after step " << step;
  }
}

/// A server whose connection the test opens.
struct SlowServer {
  explicit SlowServer(EventLoop on) : loop(on), opened(on.executor), tasks(on.executor, on.log, "server") {}

  Task<Result<std::unique_ptr<transport::Transport>>> open() {
    ++opens;
    while (!may_open) co_await opened.wait();
    auto [ours, theirs] = transport::memory_pair(loop);
    tasks.spawn(serve(loop, std::move(theirs), app));
    co_return std::move(ours);
  }
  static Task<void> serve(EventLoop loop, std::unique_ptr<transport::Transport> end, session::Service& app) {
    session::Session session(loop, *end, app);
    co_await session.run();
  }

  EventLoop loop;
  AsyncEvent opened;
  TaskScope tasks;
  bool may_open = false;
  int opens = 0;
  server::Server app{"far", "1"};
};

Task<Result<client::ServerDescription>> described(std::shared_ptr<Upstream> upstream) {
  co_return co_await upstream->describe();
}
Task<Result<Reply>> called(std::shared_ptr<Upstream> upstream, Call call) {
  co_return co_await upstream->call(call);
}
Task<void> stopped(std::shared_ptr<Upstream> upstream) {
  co_await upstream->stop();
}

TEST(Lifetimes, Finding_S2_AServerThatIsStoppedWhileConnectingIsNeverConnected) {
  ManualLoop manual;
  SlowServer server(manual.loop());
  server.app.tool("t", "Is there", [] { return 1; });
  auto upstream = std::make_shared<Upstream>(
      manual.loop(), client::Endpoint(client::Endpoint::Opener([&server](EventLoop) { return server.open(); })),
      UpstreamOptions{.name = "far"});
  const auto fetch = manual.start(described(upstream));
  EXPECT_EQ(server.opens, 1);
  manual.run(stopped(upstream));
  server.may_open = true;
  server.opened.notify();
  manual.poll();
  ASSERT_TRUE(fetch->value);
  ASSERT_FALSE(*fetch->value) << "it is no longer reachable";
  EXPECT_THAT(fetch->value->error().message, HasSubstr("'far' was stopped"));
  const auto late = manual.start(called(upstream, call_in("2025-11-25", "tools/list")));
  ASSERT_TRUE(late->value);
  EXPECT_THAT(late->value->error().message, HasSubstr("'far' was stopped"));
  EXPECT_EQ(server.opens, 1) << "no second attempt";
  upstream.reset();
  server.tasks.cancel();
  manual.run(server.tasks.join());
}

/// A reload as the gateway does it: replaces the backends of the virtual server and stops the removed ones.
struct ReloadedVirtualServer {
  ReloadedVirtualServer() : scope(manual.loop().executor, manual.log(), "reload") {
    for (auto* app : {&a, &b}) app->tool("tool", "Is there", [] { return 1; });
    virtual_server.emplace(manual.loop(), "virtual server", AggregatorOptions{.info = {.name = "virtual server"}});
    reload();
    virtual_server->aggregator().prefetch_lists();
  }
  ReloadedVirtualServer(const ReloadedVirtualServer&) = delete;
  ReloadedVirtualServer& operator=(const ReloadedVirtualServer&) = delete;
  ~ReloadedVirtualServer() {
    manual.run(virtual_server->stop());
    retire();
    manual.run(scope.join());
    virtual_server.reset();
  }

  std::shared_ptr<Upstream> made(const std::string& name, session::Service& app) {
    return std::make_shared<Upstream>(manual.loop(), client::Endpoint(app), UpstreamOptions{.name = name});
  }
  void retire() {
    for (auto& old : std::exchange(servers, {})) scope.spawn(stopped(old));
  }
  void reload() {
    auto old = std::exchange(servers, {made("a", a), made("b", b)});
    virtual_server->set_servers(
        {{.backend = std::make_shared<BackendWithChain>(pass_through_chain(), servers[0])}, {.backend = servers[1]}});
    for (auto& each : old) scope.spawn(stopped(each));
  }

  ManualLoop manual;
  server::Server a{"a", "1"}, b{"b", "1"};
  TaskScope scope;
  std::vector<std::shared_ptr<Upstream>> servers;
  std::optional<VirtualServer> virtual_server;
};

Task<Result<Reply>> listed(session::Service& service) {
  auto call = call_in("2025-11-25", "tools/list");
  co_return co_await service.call(call);
}

Task<void> listed_into(session::Service& service, Result<Reply>* list) {
  *list = co_await listed(service);
}

TEST(Lifetimes, Finding_S2_AReloadMayComeAtAnyStepOfAFetch) {
  bool more = true;
  for (std::size_t step = 0; more; ++step) {
    ReloadedVirtualServer rig;
    Result<Reply> list = fail(ErrorKind::timeout, "no answer");
    rig.scope.spawn(listed_into(rig.virtual_server->service(), &list));
    rig.manual.io().restart();
    for (std::size_t i = 0; i < step && more; ++i) more = rig.manual.io().poll_one() != 0;
    rig.reload();
    rig.manual.poll();
    rig.manual.pass(std::chrono::seconds{10});
    ASSERT_TRUE(list) << "after step " << step << ": " << list.error().message;
    const auto after = rig.manual.start(listed(rig.virtual_server->service()));
    rig.manual.pass(std::chrono::seconds{10});
    ASSERT_TRUE(after->value && *after->value);
    EXPECT_THAT((**after->value).body.text(), HasSubstr(R"("name":"a__tool")")) << "after step " << step;
  }
}

}  // namespace
}  // namespace fairlead::gateway::test::lifetimes_test
