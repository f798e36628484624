#include "gateway/fixtures/upstream_fixture.hpp"

/// Tasks of a shared server.
namespace fairlead::gateway::test {
namespace {

using session::Call;
using session::Reply;
using testing::ElementsAre;
using testing::HasSubstr;

/// A server that starts a task for every call and sends its status.
struct TaskServer final : session::Service {
  Task<Result<Reply>> call(Call& call) override {
    ++calls;
    last_params = call.params.text();
    std::string result = R"({"task":{"taskId":"t)" + std::to_string(++begun) + R"(","status":"working"}})";
    if (call.method == "initialize") {
      result = R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{},"tasks":{}},)"
               R"("serverInfo":{"name":"tasks","version":"1"}})";
      begun = 0;
    }
    if (call.method == "tasks/get") result = R"({"status":"completed"})";
    if (call.method == "tasks/list") {
      result = R"({"tasks":[{"taskId":"t1"}, {"taskId":"t2"},{"taskId":"older"}],"nextCursor":"c"})";
    }
    co_return Reply{.body = json::Payload::trusted(result)};
  }
  Task<void> notify(session::Notification&) override { co_return; }
  std::unique_ptr<session::SessionHook> on_session_open(session::SessionRef session) override {
    client.emplace(std::move(session));
    return nullptr;
  }
  static Task<void> notify_peer(session::Service* peer, std::string params) {
    session::Notification notice{.method = "notifications/tasks/status",
                                 .params = json::Payload::trusted(std::move(params))};
    co_await peer->notify(notice);
  }
  void notify_task_status(const std::string& id) {
    client->tasks.spawn(notify_peer(&*client->peer, R"({"taskId":")" + id + "\"}"));
  }

  int begun = 0;
  int calls = 0;
  std::string last_params = {};
  std::optional<session::SessionRef> client;
};

struct TaskPeer final : session::Service {
  Task<Result<Reply>> call(Call&) override { co_return Reply{}; }
  Task<void> notify(session::Notification& notice) override {
    received.push_back(std::string(notice.params.text()));
    co_return;
  }
  std::vector<std::string> received = {};
};

TEST_F(UpstreamTest, Attack_SendsTaskStatusToItsOwnerOnly) {
  TaskServer with_tasks;
  other = &with_tasks;
  TaskPeer anna, ben;
  hooks[1] = server().on_session_open({.key = 1, .peer = anna, .tasks = tasks});
  hooks[2] = server().on_session_open({.key = 2, .peer = ben, .tasks = tasks});
  ASSERT_THAT(text(call("job", 1, R"(,"task":{})")), HasSubstr("t1"));
  ASSERT_THAT(text(call("job", 2, R"(,"task":{})")), HasSubstr("t2"));
  for (const auto* id : {"t2", "t1", "unknown"}) with_tasks.notify_task_status(id);
  manual.poll();
  EXPECT_THAT(anna.received, ElementsAre(R"({"taskId":"t1"})"));
  EXPECT_THAT(ben.received, ElementsAre(R"({"taskId":"t2"})"));
}

TEST_F(UpstreamTest, Attack_HidesTasksOfOtherPrincipals) {
  TaskServer with_tasks;
  other = &with_tasks;
  const std::string job = R"({"name":"job","arguments":{},"task":{}})";
  ASSERT_THAT(send_request("anna", "tools/call", job), HasSubstr("t1"));
  ASSERT_THAT(send_request("ben", "tools/call", job), HasSubstr("t2"));
  EXPECT_THAT(send_request("anna", "tasks/get", R"({"taskId":"t1"})"), HasSubstr("completed"));
  EXPECT_THAT(send_request("ben", "tasks/get", R"({"taskId":"t1"})"), HasSubstr("unknown task"));
  EXPECT_THAT(send_request("", "tasks/cancel", R"({"taskId":"t2"})"), HasSubstr("unknown task"));
  EXPECT_EQ(send_request("anna", "tasks/list", "{}"), R"({"tasks":[{"taskId":"t1"}],"nextCursor":"c"})");
  EXPECT_EQ(send_request("ben", "tasks/list", "{}"), R"({"tasks":[{"taskId":"t2"}],"nextCursor":"c"})");
}

TEST_F(UpstreamTest, Finding_S5_RejectsTasksOfUnknownOrigin) {
  TaskServer with_tasks;
  other = &with_tasks;
  ASSERT_THAT(send_request("anna", "tools/call", R"({"name":"job","arguments":{},"task":{}})"), HasSubstr("t1"));
  const auto calls = with_tasks.calls;
  for (const auto* method : {"tasks/get", "tasks/result", "tasks/cancel", "tasks/update"}) {
    EXPECT_THAT(send_request("anna", method, R"({"taskId":"older"})"), HasSubstr("unknown task")) << method;
    EXPECT_THAT(send_request("", method, "{}"), HasSubstr("unknown task")) << method;
  }
  EXPECT_EQ(with_tasks.calls, calls);
  EXPECT_THAT(send_request("ben", "tasks/list", "{}"), HasSubstr(R"({"tasks":[])"));
}

TEST_F(UpstreamTest, Finding_S5_SeparatesTasksOfAnonymousSessions) {
  TaskServer with_tasks;
  other = &with_tasks;
  const auto call_in_session = [&](std::uint64_t session, const std::string& method, const std::string& params) {
    auto made = call_in("2025-11-25", method, params);
    made.context.session_key = session;
    return text(manual.start(calling(&server(), std::move(made))));
  };
  ASSERT_THAT(call_in_session(1, "tools/call", R"({"name":"job","arguments":{},"task":{}})"), HasSubstr("t1"));
  EXPECT_THAT(call_in_session(1, "tasks/get", R"({"taskId":"t1"})"), HasSubstr("completed"));
  EXPECT_THAT(call_in_session(2, "tasks/get", R"({"taskId":"t1"})"), HasSubstr("unknown task"));
  EXPECT_THAT(call_in_session(2, "tasks/cancel", R"({"taskId":"t1"})"), HasSubstr("unknown task"));
  EXPECT_THAT(call_in_session(2, "tasks/list", "{}"), HasSubstr(R"({"tasks":[])"));
}

TEST_F(UpstreamTest, Finding_S5_KeepsTaskOwnersAcrossAReload) {
  TaskServer with_tasks;
  other = &with_tasks;
  ASSERT_THAT(send_request("anna", "tools/call", R"({"name":"job","arguments":{},"task":{}})"), HasSubstr("t1"));
  manual.run(upstream->stop());
  upstream.reset();
  EXPECT_THAT(send_request("anna", "tasks/get", R"({"taskId":"t1"})"), HasSubstr("completed"));
  EXPECT_THAT(send_request("ben", "tasks/get", R"({"taskId":"t1"})"), HasSubstr("unknown task"));
}

TEST_F(UpstreamTest, Finding_P1_RemovesTheTaskMemberOfAModernCallToALegacyServer) {
  TaskServer with_tasks;
  other = &with_tasks;
  auto made = call_in("2026-07-28", "tools/call", R"({"name":"job","task":{},"arguments":{}})");
  manual.start(calling(&server(), std::move(made)));
  EXPECT_EQ(with_tasks.last_params, R"({"name":"job","arguments":{}})");
}

/// A stateless server that starts a task for clients that declare the extension, and for all if `bold`.
struct ExtensionServer final : session::Service {
  Task<Result<Reply>> call(Call& call) override {
    if (call.method == "server/discover") {
      co_return Reply{.body = json::Payload::trusted(
                          R"({"supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"extensions":)"
                          R"({"io.modelcontextprotocol/tasks":{}}},"ttlMs":0,"cacheScope":"private"})")};
    }
    const auto& extensions = call.context.caller->capabilities.extensions;
    declared = extensions && extensions->contains("io.modelcontextprotocol/tasks");
    if (!declared && !bold) co_return Reply{.body = json::Payload::trusted(R"({"content":[]})")};
    co_return Reply{.body = json::Payload::trusted(R"({"taskId":"t1","status":"working"})"),
                    .kind = protocol::ResultKind::other,
                    .other_kind = "task"};
  }
  Task<void> notify(session::Notification&) override { co_return; }
  const protocol::Implementation* server_info() const override { return &info; }

  protocol::Implementation info{.name = "extension", .version = "1"};
  bool bold = false;
  bool declared = false;
};

TEST_F(UpstreamTest, Finding_P1_ForwardsTheTasksExtension) {
  ExtensionServer with_tasks;
  other = &with_tasks;
  options.client.revision = "2026-07-28";
  auto made = call_in("2026-07-28", "tools/call", R"({"name":"job","arguments":{}})");
  auto caller = std::make_shared<protocol::ClientIdentity>();
  caller->capabilities.extensions = {{{"io.modelcontextprotocol/tasks", json::Payload::trusted("{}")}}};
  made.context.caller = caller;
  EXPECT_THAT(text(manual.start(calling(&server(), std::move(made)))), HasSubstr("t1"));
  EXPECT_TRUE(with_tasks.declared);
}

TEST_F(UpstreamTest, Finding_P1_RejectsATaskThatCannotBeFetched) {
  ExtensionServer with_tasks;
  with_tasks.bold = true;
  other = &with_tasks;
  options.client.revision = "2026-07-28";
  EXPECT_THAT(send_request("anna", "tools/call", R"({"name":"job","arguments":{}})"),
              HasSubstr("'far' answered tools/call 'job' with a task"));
}

TEST_F(UpstreamTest, AReusedTaskIdBelongsToTheLatestCaller) {
  TaskServer with_tasks;
  other = &with_tasks;
  const std::string job = R"({"name":"job","arguments":{},"task":{}})";
  ASSERT_THAT(send_request("anna", "tools/call", job), HasSubstr("t1"));
  with_tasks.begun = 0;  // Simulates a restart.
  ASSERT_THAT(send_request("ben", "tools/call", job), HasSubstr("t1"));
  EXPECT_THAT(send_request("ben", "tasks/get", R"({"taskId":"t1"})"), HasSubstr("completed"));
  EXPECT_THAT(send_request("anna", "tasks/get", R"({"taskId":"t1"})"), HasSubstr("unknown task"));
}

}  // namespace
}  // namespace fairlead::gateway::test
