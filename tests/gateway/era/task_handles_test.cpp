#include "gateway/era/task_handles.hpp"

#include <fairlead/http/identity.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/protocol_error.hpp>

#include "gateway/era/era_adapter.hpp"
#include "gateway/fixtures/manual_loop.hpp"

/// Handles of tasks, and streams that report tasks.
namespace fairlead::gateway::test::task_handles_test {
namespace {

using namespace std::chrono_literals;
using protocol::ProtocolError;
using session::Call;
using session::Reply;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// A chain whose server has one task.
struct TaskChain final : session::Service, BackendLookup {
  Task<Result<Reply>> call(Call& call) override {
    last = std::string(call.params.text());
    last_caller = call.context.caller;
    if (call.method == "server/discover") {
      co_return Reply{.body = json::Payload::trusted(R"({"supportedVersions":["2026-07-28"],"capabilities":{}})")};
    }
    if (call.method == "tools/call") {
      co_return Reply{.body = json::Payload::trusted(R"({"taskId":"a/t1","status":"working"})"),
                      .kind = protocol::ResultKind::other,
                      .other_kind = "task"};
    }
    ++polls;
    if (call.method != "tasks/get") co_return Reply{.body = json::Payload::trusted("{}")};
    if (gone) co_return unknown_task();
    co_return Reply{
        .body = json::Payload::trusted(R"({"taskId":"a/t1","status":")" + status +
                                       R"(","pollIntervalMs":500,"createdAt":"","lastUpdatedAt":"","ttlMs":null})")};
  }
  Task<void> notify(session::Notification&) override { return {}; }
  const protocol::Implementation* server_info() const override { return &info; }
  std::optional<std::string> backend_name_of(ListKind, std::string_view) const override { return std::nullopt; }
  bool offers_extension(std::string_view) const override { return offered; }

  static std::unexpected<Error> unknown_task() { return refuse(ProtocolError::invalid_params, "unknown"); }

  protocol::Implementation info{.name = "chain", .version = "1"};
  bool offered = true;
  bool gone = false;
  std::string status = "working";
  std::string last = {};
  std::shared_ptr<const protocol::ClientIdentity> last_caller = {};
  int polls = 0;
};

std::shared_ptr<const protocol::ClientIdentity> client(bool with_tasks = true) {
  auto made = std::make_shared<protocol::ClientIdentity>();
  if (with_tasks) made->capabilities.extensions = {{{"io.modelcontextprotocol/tasks", json::Payload::trusted("{}")}}};
  return made;
}

struct TaskHandlesTest : testing::Test {
  using Outcome = std::shared_ptr<Started<Result<Reply>>>;

  ~TaskHandlesTest() override { manual.run(adapter.stop()); }

  static Task<Result<Reply>> calling(session::Service* service, Call call) { co_return co_await service->call(call); }

  Outcome start(std::string method, std::string params, std::string principal = "anna", bool with_tasks = true) {
    auto call = call_in("2026-07-28", std::move(method), std::move(params));
    call.context.principal = std::move(principal);
    call.context.caller = client(with_tasks);
    call.context.peer = &back;
    call.context.id = jsonrpc::Id(7);
    call.context.peer_closed = closed.get_token();
    return manual.start(calling(&adapter, std::move(call)));
  }
  Result<Reply> send(std::string method, std::string params, std::string principal = "anna", bool with_tasks = true) {
    const auto started = start(std::move(method), std::move(params), std::move(principal), with_tasks);
    return started->value ? std::move(*started->value) : fail(ErrorKind::timeout, "no answer");
  }
  static std::string text_of(const Outcome& outcome) {
    if (!outcome->value) return "no answer";
    return *outcome->value ? std::string((*outcome->value)->body.text()) : outcome->value->error().message;
  }
  static std::string id_in(const Result<Reply>& reply) {
    return reply ? json::decode<std::string>(json::member_of(reply->body, "taskId")).value_or("") : "";
  }
  std::string handle() { return id_in(send("tools/call", R"({"name":"film","arguments":{}})")); }
  static std::string get_params(const std::string& id) { return R"({"taskId":")" + id + "\"}"; }
  static ProtocolError fault(const Result<Reply>& reply) {
    return reply ? ProtocolError::none : protocol::protocol_error_of(reply.error());
  }

  ManualLoop manual;
  FakePeerChannel back{manual.loop().executor};
  TaskChain chain;
  static std::shared_ptr<const auth::ScopePolicy> scopes() {
    auto made = auth::ScopePolicy::make({.tools = {{"film", {"films"}}}});
    return std::make_shared<const auth::ScopePolicy>(std::move(*made));
  }
  EraAdapter adapter{manual.loop(), chain, {.tasks = {.scopes = scopes()}}};
  std::stop_source closed;
};

TEST_F(TaskHandlesTest, ClientsSeeHandlesAndTheChainSeesIdAndTool) {
  const auto sealed = handle();
  EXPECT_THAT(sealed, Not(HasSubstr("t1")));
  const auto got = send("tasks/get", get_params(sealed));
  EXPECT_EQ(id_in(got), sealed);
  EXPECT_THAT(chain.last, AllOf(HasSubstr(R"("taskId":"a/t1")"), HasSubstr(R"("name":"film")")));
  EXPECT_EQ(handle(), sealed) << "one task has one name";
}

TEST_F(TaskHandlesTest, Attack_AClientCannotNameAnotherTool) {
  const auto sealed = handle();
  send("tasks/get", R"({"name":"harmless","taskId":")" + sealed + "\"}");
  EXPECT_THAT(chain.last, AllOf(HasSubstr(R"("name":"film")"), Not(HasSubstr("harmless"))));
}

TEST_F(TaskHandlesTest, Attack_AForeignHandleFailsLikeAnUnknownOne) {
  const auto sealed = handle();
  const auto calls = chain.polls;
  const auto foreign = send("tasks/get", get_params(sealed), "ben");
  const auto unknown = send("tasks/get", get_params("nonsense"), "ben");
  ASSERT_FALSE(foreign);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(foreign.error().message, unknown.error().message);
  EXPECT_EQ(foreign.error().data, unknown.error().data);
  EXPECT_EQ(fault(foreign), ProtocolError::invalid_params);
  for (const auto* raw : {"t1", "a/t1", ""}) {
    EXPECT_EQ(fault(send("tasks/cancel", get_params(raw))), ProtocolError::invalid_params) << raw;
  }
  EXPECT_EQ(chain.polls, calls) << "the server gets no request";
}

TEST_F(TaskHandlesTest, ACallersTasksEndWithTheScopesOfTheTool) {
  const auto sealed = handle();
  const auto get = [&](std::vector<std::string> granted) {
    auto call = call_in("2026-07-28", "tasks/get", get_params(sealed));
    call.context.principal = "anna";
    call.context.caller = client();
    auto identity = std::make_shared<http::Identity>();
    identity->scopes = std::move(granted);
    call.context.identity = std::move(identity);
    return text_of(manual.start(calling(&adapter, std::move(call))));
  };
  EXPECT_THAT(get({"films"}), HasSubstr("working"));
  EXPECT_THAT(get({"other"}), HasSubstr("needs films"));
}

TEST_F(TaskHandlesTest, ChecksMethodThenCapabilityThenId) {
  EXPECT_EQ(fault(send("tasks/get", get_params("x"), "anna", false)), ProtocolError::missing_capability);
  chain.offered = false;
  EXPECT_EQ(fault(send("tasks/get", get_params("x"), "anna", false)), ProtocolError::unknown_method);
}

TEST_F(TaskHandlesTest, Finding_P1_TheDeclarationOfAHandshakeClientIsNotForwarded) {
  auto call = call_in("2025-11-25", "tools/call", R"({"name":"film"})");
  call.context.caller = client();
  manual.start(calling(&adapter, std::move(call)));
  EXPECT_FALSE(chain.last_caller->capabilities.extensions);
}

TEST_F(TaskHandlesTest, AStreamReportsEachChangeOfATask) {
  const auto sealed = handle();
  const auto listening = start("subscriptions/listen", R"({"notifications":{"taskIds":[")" + sealed + R"(","x"]}})");
  ASSERT_FALSE(listening->done());
  ASSERT_EQ(back.notifications.size(), 2U);
  EXPECT_THAT(back.notifications[0], AllOf(HasSubstr("acknowledged"), HasSubstr(R"("taskIds":[")" + sealed + R"("])")));
  EXPECT_THAT(back.notifications[1], AllOf(HasSubstr("notifications/tasks "), HasSubstr(sealed), HasSubstr("working"),
                                           Not(HasSubstr("a/t1"))));
  manual.pass(500ms);
  EXPECT_EQ(back.notifications.size(), 2U) << "nothing has changed";
  chain.status = "completed";
  manual.pass(500ms);
  ASSERT_EQ(back.notifications.size(), 3U);
  EXPECT_THAT(back.notifications[2], HasSubstr("completed"));
  const auto polls = chain.polls;
  manual.pass(10s);
  EXPECT_EQ(chain.polls, polls) << "a finished task is not polled";
  closed.request_stop();
  manual.poll();
  EXPECT_TRUE(listening->done());
}

TEST_F(TaskHandlesTest, AStreamStopsAskingForATaskThatIsGone) {
  const auto sealed = handle();
  const auto listening = start("subscriptions/listen", R"({"notifications":{"taskIds":[")" + sealed + R"("]}})");
  chain.gone = true;
  manual.pass(500ms);
  const auto polls = chain.polls;
  manual.pass(10s);
  EXPECT_EQ(chain.polls, polls);
  closed.request_stop();
  manual.poll();
}

TEST_F(TaskHandlesTest, OnlyClientsWithTheExtensionMayListenForTasks) {
  const auto refused = send("subscriptions/listen", R"({"notifications":{"taskIds":[]}})", "anna", false);
  EXPECT_EQ(fault(refused), ProtocolError::missing_capability);
}

}  // namespace
}  // namespace fairlead::gateway::test::task_handles_test
