#include <fairlead/server/task_policy.hpp>
#include <set>
#include <thread>

#include "server/pending_request.hpp"
#include "server/task_fixture.hpp"

namespace fairlead::server::test::task_test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

struct TaskTest : TaskFixture {};

TEST_F(TaskTest, StaysAPlainCallIfItEndsInTime) {
  app.tool("quick", task_options(TaskMode::optional, 1h), []() -> Task<std::string> { co_return "now"; });
  const auto reply = call("quick");
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->kind, protocol::ResultKind::complete);
  EXPECT_EQ(text_of(std::string(reply->body.text())), "now");
}

TEST_F(TaskTest, BecomesATaskAfterTheDelay) {
  add_waiting_tool(TaskMode::optional, 1ms);
  const auto id = task_of("wait");
  EXPECT_GE(id.size(), 22U);
  EXPECT_EQ(get(id).status, TaskStatus::working);
  open_gate();
  const auto task = wait_for(id, TaskStatus::completed);
  ASSERT_TRUE(task.result);
  EXPECT_EQ(text_of(std::string(task.result->text())), "done");
}

TEST_F(TaskTest, HandleIsFlatAndHasNoResult) {
  add_waiting_tool();
  const auto reply = call("wait");
  ASSERT_TRUE(reply);
  const std::string body(reply->body.text());
  EXPECT_THAT(body, HasSubstr(R"("status":"working")"));
  EXPECT_THAT(body, HasSubstr(R"("ttlMs":3600000)"));
  EXPECT_THAT(body, HasSubstr(R"("pollIntervalMs":1000)"));
  for (const auto* member : {"\"task\"", "result\"", "error\"", "inputRequests", "requestState"})
    EXPECT_THAT(body, Not(HasSubstr(member)));
}

TEST_F(TaskTest, BecomesATaskAtOnceIfAPlainFunctionRequiresIt) {
  app.tool("plain", task_options(TaskMode::required), [] { return "result"; });
  const auto task = wait_for(task_of("plain"), TaskStatus::completed);
  EXPECT_EQ(text_of(std::string(task.result->text())), "result");
}

TEST_F(TaskTest, RunsABlockingHandler) {
  app.tool("thread", task_options(TaskMode::optional), blocking([](Context& context) {
             context.wait(context.status("on a thread"));
             return "from a thread";
           }));
  const auto task = wait_for(task_of("thread"), TaskStatus::completed);
  EXPECT_EQ(task.statusMessage, "on a thread");
  EXPECT_EQ(text_of(std::string(task.result->text())), "from a thread");
}

TEST_F(TaskTest, RunsPlainlyForAClientWithoutTheExtension) {
  app.tool("quick", task_options(TaskMode::optional), []() -> Task<std::string> { co_return "now"; });
  declare("{}");
  EXPECT_EQ(call("quick")->kind, protocol::ResultKind::complete);
  declare(task_capabilities);
  request_context.revision = &handshake();
  EXPECT_EQ(call("quick")->kind, protocol::ResultKind::complete);
}

TEST_F(TaskTest, RequiredTaskNeedsTheExtension) {
  bool ran = false;
  app.tool("job", task_options(TaskMode::required), [&] {
    ran = true;
    return "";
  });
  declare("{}");
  const auto reply = call("job");
  ASSERT_FALSE(reply);
  EXPECT_EQ(protocol::protocol_error_of(reply.error()), ProtocolError::missing_capability);
  EXPECT_EQ(reply.error().data, R"({"requiredCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}})");
  EXPECT_FALSE(ran);
}

TEST_F(TaskTest, ChecksTheCapabilityBeforeTheId) {
  add_waiting_tool();
  for (const auto* method : {"tasks/get", "tasks/update", "tasks/cancel"}) {
    const std::string params = R"({"taskId":"unknown","inputResponses":{}})";
    declare("{}");
    EXPECT_EQ(error_of(method, params), ProtocolError::missing_capability) << method;
    declare(task_capabilities);
    EXPECT_EQ(error_of(method, params), ProtocolError::invalid_params) << method;
    request_context.revision = protocol::find_revision("2025-06-18");
    EXPECT_EQ(error_of(method, params), ProtocolError::unknown_method) << method;
    request_context.revision = &stateless();
  }
}

TEST_F(TaskTest, IsOfferedOnlyByAServerThatUsesTasks) {
  app.tool("plain", "", [] { return ""; });
  EXPECT_THAT(std::string(request("server/discover", "{}")->body.text()), Not(HasSubstr("extensions")));
  EXPECT_EQ(error_of("tasks/get", with_id("x")), ProtocolError::unknown_method);
  add_waiting_tool();
  EXPECT_THAT(std::string(request("server/discover", "{}")->body.text()),
              HasSubstr(R"("extensions":{"io.modelcontextprotocol/tasks":{}})"));
  request_context.revision = &handshake();
  EXPECT_THAT(std::string(request("initialize", "{}")->body.text()), Not(HasSubstr("extensions")));
}

TEST_F(TaskTest, BelongsToItsPrincipal) {
  add_waiting_tool();
  request_context.principal = "ann";
  const auto id = task_of("wait");
  request_context.principal = "bob";
  const auto foreign = request("tasks/get", with_id(id));
  const auto missing = request("tasks/get", with_id("AAAAAAAAAAAAAAAAAAAAAA"));
  ASSERT_FALSE(foreign);
  ASSERT_FALSE(missing);
  EXPECT_EQ(foreign.error().message, missing.error().message);
  EXPECT_EQ(error_of("tasks/cancel", with_id(id)), ProtocolError::invalid_params);
  EXPECT_EQ(error_of("tasks/update", R"({"taskId":")" + id + R"(","inputResponses":{}})"),
            ProtocolError::invalid_params);
  request_context.principal = "ann";
  EXPECT_EQ(get(id).status, TaskStatus::working);
}

TEST_F(TaskTest, IsHiddenWithItsTool) {
  add_waiting_tool();
  bool visible = true;
  app.visible([&](EntryKind, std::string_view, std::string_view) { return visible; });
  const auto id = task_of("wait");
  visible = false;
  EXPECT_EQ(error_of("tasks/get", with_id(id)), ProtocolError::invalid_params);
}

TEST_F(TaskTest, GoesOnWhenItsToolIsRemoved) {
  add_waiting_tool();
  const auto id = task_of("wait");
  ASSERT_TRUE(app.remove_tool("wait"));
  open_gate();
  EXPECT_EQ(wait_for(id, TaskStatus::completed).taskId, id);
}

TEST_F(TaskTest, FailureOfTheToolIsACompletedTask) {
  app.tool("fails", task_options(TaskMode::required),
           []() -> Result<std::string> { return fail(ErrorKind::invalid, "no luck"); });
  const auto task = wait_for(task_of("fails"), TaskStatus::completed);
  EXPECT_THAT(std::string(task.result->text()), HasSubstr(R"("isError":true)"));
  EXPECT_THAT(std::string(task.result->text()), HasSubstr("no luck"));
  EXPECT_FALSE(task.error);
}

TEST_F(TaskTest, ProtocolErrorIsAFailedTask) {
  app.tool("fails", task_options(TaskMode::required), []() -> Result<std::string> {
    return std::unexpected(protocol::protocol_error(ProtocolError::internal, "broken"));
  });
  const auto task = wait_for(task_of("fails"), TaskStatus::failed);
  EXPECT_EQ(task.error->text(), R"({"code":-32603,"message":"Internal error"})");
  EXPECT_FALSE(task.result);
}

TEST_F(TaskTest, ShowsTheStatusTextUpToItsLimit) {
  app.tool("reports", task_options(TaskMode::required), [this](Context& context) -> Task<std::string> {
    co_await context.status("first");
    co_await context.progress(1, 2, std::string(1023, 'x') + "\xC3\xA9");
    while (!gate) co_await gate_changed->wait();
    co_return "";
  });
  EXPECT_EQ(get(task_of("reports")).statusMessage, std::string(1023, 'x'));
}

TEST_F(TaskTest, CancelEndsAHandlerThatWaits) {
  add_waiting_tool();
  const auto id = task_of("wait");
  for (int i = 0; i < 2; ++i) {
    const auto ack = request("tasks/cancel", with_id(id));
    ASSERT_TRUE(ack);
    EXPECT_EQ(ack->body.text(), "{}");
    const auto task = wait_for(id, TaskStatus::cancelled);
    EXPECT_FALSE(task.result);
  }
}

TEST_F(TaskTest, CancelledTaskMayStillComplete) {
  app.tool("stubborn", task_options(TaskMode::optional), [this](Context& context) -> Task<std::string> {
    const auto shield = co_await this_task::shield;
    while (!gate) co_await gate_changed->wait();
    co_return context.cancelled() ? "completed in spite of it" : "";
  });
  const auto id = task_of("stubborn");
  ASSERT_TRUE(request("tasks/cancel", with_id(id)));
  EXPECT_EQ(get(id).status, TaskStatus::working);
  open_gate();
  EXPECT_EQ(text_of(std::string(wait_for(id, TaskStatus::completed).result->text())), "completed in spite of it");
}

TEST_F(TaskTest, EndsWithoutAResultWhenTheEventLoopEnds) {
  add_waiting_tool();
  const auto id = task_of("wait");
  gate_changed.reset();
  loop = std::make_unique<fairlead::test::TestLoop>();
  const auto task = get(id);
  EXPECT_EQ(task.status, TaskStatus::failed);
  EXPECT_THAT(std::string(task.error->text()), HasSubstr("the server stopped"));
}

TEST_F(TaskTest, ServerThatStopsWaitsForItsTasks) {
  add_waiting_tool();
  const auto id = task_of("wait");
  app.finish_background_work(1ms);
  EXPECT_EQ(get(id).status, TaskStatus::working);
  std::thread stopping([this] { app.finish_background_work(1h); });
  open_gate();
  wait_for(id, TaskStatus::completed);
  stopping.join();
}

TEST_F(TaskTest, ClosedRequestStopsTheHandlerBeforeItIsATask) {
  bool stopped = false;
  app.tool("slow", task_options(TaskMode::optional, 1h), [&](Context&) -> Task<std::string> {
    AsyncEvent never(co_await this_task::executor);
    co_await never.wait();
    const auto stop = co_await this_task::stop_token;
    stopped = stop.stop_requested();
    co_return "";
  });
  PendingRequest pending(app, channel, "tools/call", R"({"name":"slow"})", stateless(), "", request_context.caller);
  EXPECT_FALSE(stopped);
  pending.cancel();
  pending.finish();
  EXPECT_TRUE(stopped);
  EXPECT_TRUE(pending.ended());
}

TEST_F(TaskTest, TooLargeResultFailsTheTask) {
  TaskOptions options;
  options.max_result = 100;
  app.tasks(memory_task_store(), options);
  app.tool("large", task_options(TaskMode::required), [] { return std::string(200, 'x'); });
  const auto task = wait_for(task_of("large"), TaskStatus::failed);
  EXPECT_THAT(std::string(task.error->text()), HasSubstr("a task can keep 100"));
}

TEST_F(TaskTest, BoundsTheUnfinishedTasksOfACaller) {
  TaskOptions options;
  options.limits.per_caller = 2;
  app.tasks(memory_task_store(), options);
  add_waiting_tool();
  app.tool("required", task_options(TaskMode::required), [] { return ""; });
  task_of("wait");
  task_of("wait");
  const auto refused = call("required");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("2 unfinished tasks"));
  request_context.principal = "another";
  EXPECT_EQ(call("required")->other_kind, "task");
  request_context.principal = "";
  const auto plain = start("tools/call", R"({"name":"wait"})");
  loop->poll();
  open_gate();
  EXPECT_EQ(loop->finish(plain)->kind, protocol::ResultKind::complete);
}

TEST_F(TaskTest, BoundsAllTasks) {
  TaskOptions options;
  options.limits.total = 1;
  app.tasks(memory_task_store(), options);
  app.tool("job", task_options(TaskMode::required), [] { return ""; });
  wait_for(task_of("job"), TaskStatus::completed);
  const auto refused = call("job");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("try again later"));
}

TEST_F(TaskTest, ExpiresAtTheEndOfItsLifetime) {
  TaskTime now = TaskTime(1h * 24 * 365 * 50);
  TaskOptions options;
  options.now = [&] { return now; };
  app.tasks(memory_task_store(), options);
  add_waiting_tool();
  const auto id = task_of("wait");
  now += 2h;
  EXPECT_EQ(std::get<std::int64_t>(get(id).ttlMs), std::chrono::milliseconds(2h + 5min).count());
  open_gate();
  wait_for(id, TaskStatus::completed);
  now += 5min - 1ms;
  EXPECT_EQ(get(id).status, TaskStatus::completed);
  now += 1ms;
  EXPECT_EQ(error_of("tasks/get", with_id(id)), ProtocolError::invalid_params);
}

TEST_F(TaskTest, TenThousandTasksHaveDifferentIdsAndCanAllBeFetched) {
  app.tool("job", task_options(TaskMode::required), [] { return "x"; });
  std::set<std::string> ids;
  for (int i = 0; i < 10'000; ++i) ids.insert(task_of("job"));
  EXPECT_EQ(ids.size(), 10'000U);
  for (const auto& id : ids) ASSERT_EQ(get(id).status, TaskStatus::completed);
}

TEST_F(TaskTest, ListenerGetsTheWholeTaskAfterEachChange) {
  add_waiting_tool();
  const auto id = task_of("wait");
  const auto listening = start("subscriptions/listen", R"({"notifications":{"taskIds":[")" + id + R"(","unknown"]}})");
  loop->poll();
  ASSERT_EQ(channel.notifications.size(), 2U);
  EXPECT_EQ(channel.notifications[0].method, "notifications/subscriptions/acknowledged");
  EXPECT_THAT(channel.notifications[0].params, HasSubstr(R"("taskIds":[")" + id + "\"]"));
  EXPECT_EQ(channel.notifications[1].method, "notifications/tasks");
  EXPECT_THAT(channel.notifications[1].params, HasSubstr(R"("status":"working")"));
  open_gate();
  loop->run_until([&] { return channel.notifications.size() >= 3; });
  EXPECT_EQ(channel.notifications[2].method, "notifications/tasks");
  EXPECT_THAT(channel.notifications[2].params, HasSubstr(R"("status":"completed")"));
  EXPECT_THAT(channel.notifications[2].params, HasSubstr(R"("text":"done")"));
  EXPECT_FALSE(listening.done());
}

TEST_F(TaskTest, ListenerMustDeclareTheExtensionAndOwnTheTask) {
  add_waiting_tool();
  request_context.principal = "ann";
  const auto id = task_of("wait");
  const std::string filter = R"({"notifications":{"taskIds":[")" + id + "\"]}}";
  declare("{}");
  EXPECT_EQ(error_of("subscriptions/listen", filter), ProtocolError::missing_capability);
  declare(task_capabilities);
  request_context.principal = "bob";
  const auto listening = start("subscriptions/listen", filter);
  loop->poll();
  ASSERT_EQ(channel.notifications.size(), 1U);
  EXPECT_THAT(channel.notifications[0].params, Not(HasSubstr(id)));
}

}  // namespace
}  // namespace fairlead::server::test::task_test
