#include <fairlead/gateway/chain.hpp>
#include <fairlead/server.hpp>
#include <fairlead/transport/memory.hpp>
#include <stop_token>

#include "gateway/chained.hpp"
#include "gateway/room.hpp"
#include "gateway/upstream/audience.hpp"
#include "gateway/upstream/upstream.hpp"
#include "manual_loop.hpp"

/// What ends while it is used: streams that hang up while they are told of a change, servers that are taken out of the
/// configuration while their lists are fetched. Each scene is played again and again, and interrupted one step of the
/// loop later each time, until there is nothing left to interrupt.
namespace fairlead::gateway::test::lifetimes_test {
namespace {

using session::Call;
using session::Notice;
using session::Reply;
using testing::AnyOf;
using testing::HasSubstr;

constexpr const char* tools_changed = "notifications/tools/list_changed";
constexpr const char* tools_only = R"({"notifications":{"toolsListChanged":true}})";

/// Looks at both directions, and changes nothing.
struct Onlooker final : TwoWayMiddleware {};

Chain looked_at() {
  return chain().then(std::shared_ptr<Middleware>(std::make_shared<Onlooker>()));
}

/// A server whose list of tools has another item after each change, and which tells so like any upstream.
class ChangingServer final : public Member {
 public:
  explicit ChangingServer(std::string name) : name_(std::move(name)) {
    description_.info.name = name_;
    description_.capabilities.tools = protocol::ListChanged{.listChanged = true};
  }

  void change() {
    ++version_;
    say(tools_changed);
  }
  void say(const std::string& method) {
    audience_.tell(Notice{.method = method, .params = json::Payload::trusted("{}")});
  }

  const std::string& name() const override { return name_; }
  Task<Result<client::ServerDescription>> describe() override { co_return description_; }
  const client::ServerDescription* known() const override { return &description_; }
  Task<Result<Reply>> call(Call& call) override {
    if (call.method != "tools/list") co_return fail(ErrorKind::refused, "this server has tools only");
    const auto tool = name_ + "-" + std::to_string(version_);
    co_return Reply{.body = json::Payload::trusted(R"({"tools":[{"name":")" + tool + R"(","inputSchema":{}}]})")};
  }
  Task<void> notify(Notice&) override { co_return; }
  std::unique_ptr<session::Attendance> attend(session::Conversation conversation) override {
    return audience_.admit(std::move(conversation));
  }

 private:
  std::string name_;
  int version_ = 0;
  client::ServerDescription description_ = {};
  Audience audience_{[](const std::vector<std::string>&) {}};
};

/// A room with two servers, on a loop that is turned step by step.
struct Stage {
  Stage() {
    room.emplace(manual.loop(), "room", protocol::Implementation{.name = "room"}, MergeOptions{});
    room->set_servers(seats());
    room->set_chain(looked_at());
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  ~Stage() {
    manual.run(room->stop());
    room.reset();
    manual.poll();
  }

  std::vector<Seat> seats() const {
    return {{.member = std::make_shared<Chained>(looked_at(), first)}, {.member = second}};
  }
  /// At most so many steps. False if there were fewer.
  bool turn(std::size_t steps) {
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
  std::optional<Room> room;
};

/// A `subscriptions/listen` of a client that is there.
struct OpenStream {
  explicit OpenStream(Stage& on) : stage(on), back(on.manual.loop().executor) {
    call = call_in("2026-07-28", "subscriptions/listen", tools_only);
    call.context.id = jsonrpc::Id(1);
    call.context.back = &back;
    call.context.over = over.get_token();
    answer = stage.manual.start(listening(stage.room->service(), call));
    stage.settle();
  }

  static Task<Result<Reply>> listening(session::Service& service, Call& call) { co_return co_await service.call(call); }

  Stage& stage;
  FakeBack back;
  std::stop_source over;
  Call call;
  std::shared_ptr<Started<Result<Reply>>> answer;
};

TEST(Lifetimes, Finding_S1_AStreamMayEndAtAnyStepWhileAChangeIsTold) {
  bool more = true;
  for (std::size_t step = 0; more; ++step) {
    Stage stage;
    OpenStream stream(stage);
    ASSERT_FALSE(stream.answer->done()) << "the stream is open";
    stage.first->change();
    stage.second->change();
    more = stage.turn(step);
    stream.over.request_stop();
    stage.settle();
    EXPECT_TRUE(stream.answer->done()) << "after step " << step;
    stage.first->change();
    stage.settle();
  }
}

TEST(Lifetimes, Finding_S1_AStreamMayBeCutAtAnyStepWhileAChangeIsTold) {
  bool more = true;
  for (std::size_t step = 0; more; ++step) {
    Stage stage;
    OpenStream stream(stage), other(stage);
    stage.first->change();
    more = stage.turn(step);
    stage.manual.give_up(stream.answer);
    stage.settle();
    EXPECT_TRUE(stream.answer->done()) << "after step " << step;
    EXPECT_FALSE(other.answer->done());
    EXPECT_THAT(other.back.told.back(), HasSubstr(tools_changed)) << "after step " << step;
    other.over.request_stop();
    stage.settle();
  }
}

/// A client that reads only when it wants to.
struct SlowReader final : session::Service {
  explicit SlowReader(boost::asio::any_io_executor executor) : reads(std::move(executor)) {}
  Task<Result<Reply>> call(Call&) override { co_return Reply{}; }
  Task<void> notify(Notice& notice) override {
    while (stalled) co_await reads.wait();
    heard.push_back(notice.method);
  }

  bool stalled = true;
  Bell reads;
  std::vector<std::string> heard = {};
};

TEST(Lifetimes, Finding_S1_AReloadWhileAClientDoesNotReadLeavesNothingBehindThatIsTold) {
  Stage stage;
  SlowReader client(stage.manual.loop().executor);
  TaskScope tasks(stage.manual.loop().executor, stage.manual.log(), "client");
  auto attendance = stage.room->service().attend(
      {.key = 77, .peer = client, .executor = stage.manual.loop().executor, .tasks = tasks});
  for (int i = 0; i < 3; ++i) stage.first->say("notifications/message");
  stage.settle();
  stage.room->set_servers({{.member = stage.second}});
  stage.settle();
  client.stalled = false;
  client.reads.ring();
  stage.settle();
  EXPECT_LE(client.heard.size(), 5U);
  tasks.cancel();
  stage.manual.run(tasks.join());
  attendance.reset();
}

TEST(Lifetimes, Finding_S1_AReloadMayComeAtAnyStepOfAChange) {
  bool more = true;
  for (std::size_t step = 0; more; ++step) {
    Stage stage;
    OpenStream stream(stage);
    stage.first->change();
    more = stage.turn(step);
    stage.room->set_servers({{.member = stage.second}});
    stage.room->set_chain(chain());
    stage.first->change();
    stage.settle();
    stage.room->set_servers(stage.seats());
    stage.settle();
    stream.over.request_stop();
    stage.settle();
    EXPECT_TRUE(stream.answer->done()) << "after step " << step;
  }
}

/// A way to a server that is opened when the test says so.
struct SlowDoor {
  explicit SlowDoor(Loop on) : loop(on), opened(on.executor), tasks(on.executor, on.log, "door") {}

  Task<Result<std::unique_ptr<transport::Transport>>> open() {
    ++asked;
    while (!may_open) co_await opened.wait();
    auto [ours, theirs] = transport::memory_pair(loop);
    tasks.spawn(serve(loop, std::move(theirs), app));
    co_return std::move(ours);
  }
  static Task<void> serve(Loop loop, std::unique_ptr<transport::Transport> end, session::Service& app) {
    session::Session session(loop, *end, app);
    co_await session.run();
  }

  Loop loop;
  Bell opened;
  TaskScope tasks;
  bool may_open = false;
  int asked = 0;
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

TEST(Lifetimes, Finding_S2_AServerThatIsStoppedWhileItIsReachedIsNeverConnected) {
  ManualLoop manual;
  SlowDoor door(manual.loop());
  door.app.tool("t", "Is there", [] { return 1; });
  auto upstream = std::make_shared<Upstream>(
      manual.loop(), client::Endpoint(client::Endpoint::Opener([&door](Loop) { return door.open(); })),
      UpstreamOptions{.name = "far"});
  const auto fetch = manual.start(described(upstream));
  EXPECT_EQ(door.asked, 1);
  manual.run(stopped(upstream));
  door.may_open = true;
  door.opened.ring();
  manual.poll();
  ASSERT_TRUE(fetch->value);
  ASSERT_FALSE(*fetch->value) << "it is not reachable any more";
  EXPECT_THAT(fetch->value->error().message, HasSubstr("'far' was stopped"));
  const auto late = manual.start(called(upstream, call_in("2025-11-25", "tools/list")));
  ASSERT_TRUE(late->value);
  EXPECT_THAT(late->value->error().message, HasSubstr("'far' was stopped"));
  EXPECT_EQ(door.asked, 1) << "and nobody tries again";
  upstream.reset();
  door.tasks.cancel();
  manual.run(door.tasks.join());
}

/// A gateway's share in a reload: the room has other servers, and those that have gone are stopped.
struct ReloadedRoom {
  ReloadedRoom() : scope(manual.loop().executor, manual.log(), "reload") {
    for (auto* app : {&a, &b}) app->tool("tool", "Is there", [] { return 1; });
    room.emplace(manual.loop(), "room", protocol::Implementation{.name = "room"}, MergeOptions{});
    reload();
    room->servers().warm_up();
  }
  ReloadedRoom(const ReloadedRoom&) = delete;
  ReloadedRoom& operator=(const ReloadedRoom&) = delete;
  ~ReloadedRoom() {
    manual.run(room->stop());
    retire();
    manual.run(scope.join());
    room.reset();
  }

  std::shared_ptr<Upstream> made(const std::string& name, session::Service& app) {
    return std::make_shared<Upstream>(manual.loop(), client::Endpoint(app), UpstreamOptions{.name = name});
  }
  void retire() {
    for (auto& old : std::exchange(servers, {})) scope.spawn(stopped(old));
  }
  void reload() {
    auto old = std::exchange(servers, {made("a", a), made("b", b)});
    room->set_servers({{.member = std::make_shared<Chained>(looked_at(), servers[0])}, {.member = servers[1]}});
    for (auto& each : old) scope.spawn(stopped(each));
  }

  ManualLoop manual;
  server::Server a{"a", "1"}, b{"b", "1"};
  TaskScope scope;
  std::vector<std::shared_ptr<Upstream>> servers;
  std::optional<Room> room;
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
    ReloadedRoom rig;
    Result<Reply> list = fail(ErrorKind::timeout, "no answer");
    rig.scope.spawn(listed_into(rig.room->service(), &list));
    rig.manual.io().restart();
    for (std::size_t i = 0; i < step && more; ++i) more = rig.manual.io().poll_one() != 0;
    rig.reload();
    rig.manual.poll();
    rig.manual.pass(std::chrono::seconds{10});
    ASSERT_TRUE(list) << "after step " << step << ": " << list.error().message;
    const auto after = rig.manual.start(listed(rig.room->service()));
    rig.manual.pass(std::chrono::seconds{10});
    ASSERT_TRUE(after->value && *after->value);
    EXPECT_THAT((**after->value).body.text(), HasSubstr(R"("name":"a__tool")")) << "after step " << step;
  }
}

}  // namespace
}  // namespace fairlead::gateway::test::lifetimes_test
