#pragma once

#include <algorithm>
#include <deque>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/server/context.hpp>
#include <fairlead/server/task_store.hpp>
#include <memory>

#include "base/async_event.hpp"
#include "server/harness.hpp"

namespace fairlead::server::test {

using protocol::ExtensionTask;
using protocol::ProtocolError;
using protocol::TaskStatus;

inline constexpr auto task_capabilities =
    R"({"elicitation":{"form":{}},"extensions":{"io.modelcontextprotocol/tasks":{}}})";

inline ToolOptions task_options(TaskMode mode, Duration after = Duration::zero()) {
  ToolOptions options;
  options.task = {.mode = mode, .after = after};
  return options;
}

/// A server whose tools become tasks, and its event loop, on which tasks go on between the requests.
struct TaskFixture : testing::Test {
  Server app{"demo", "1.0"};
  std::unique_ptr<fairlead::test::TestLoop> loop = std::make_unique<fairlead::test::TestLoop>();
  FakePeerChannel channel;
  session::RequestContext request_context;
  std::deque<Call> calls;

  // The tool "wait" ends when the test opens the gate.
  bool gate = false;
  std::unique_ptr<AsyncEvent> gate_changed = std::make_unique<AsyncEvent>(loop->context().get_executor());

  TaskFixture() {
    request_context.id = 1;
    request_context.revision = &stateless();
    declare(task_capabilities);
  }
  ~TaskFixture() override {
    gate_changed.reset();
    loop.reset();
  }

  virtual Server& current() { return app; }

  void declare(const std::string& capabilities) {
    protocol::ClientIdentity caller;
    caller.capabilities = *json::decode<protocol::ClientCapabilities>(capabilities);
    request_context.caller = std::make_shared<const protocol::ClientIdentity>(std::move(caller));
  }

  void add_waiting_tool(TaskMode mode = TaskMode::optional, Duration after = Duration::zero()) {
    app.tool("wait", task_options(mode, after), [this](Context&) -> Task<std::string> {
      while (!gate) co_await gate_changed->wait();
      co_return "done";
    });
  }
  void open_gate() {
    gate = true;
    gate_changed->notify();
  }

  fairlead::test::Pending<Result<Reply>> start(std::string method, std::string params) {
    auto& call = calls.emplace_back(Call{
        .method = std::move(method), .params = json::Payload::trusted(std::move(params)), .context = request_context});
    call.context.peer = &channel;
    return loop->start(current().call(call));
  }
  Result<Reply> request(std::string method, std::string params) {
    return loop->finish(start(std::move(method), std::move(params)));
  }
  Result<Reply> call(const std::string& tool, const std::string& arguments = "{}") {
    return request("tools/call", R"({"name":")" + tool + R"(","arguments":)" + arguments + "}");
  }
  ProtocolError error_of(const std::string& method, const std::string& params) {
    const auto reply = request(method, params);
    return reply ? ProtocolError::none : protocol::protocol_error_of(reply.error());
  }

  static std::string with_id(const std::string& id) { return R"({"taskId":")" + id + "\"}"; }

  /// The id of the task that a call became; fails the test if it did not.
  std::string task_of(const std::string& tool, const std::string& arguments = "{}") {
    const auto reply = call(tool, arguments);
    EXPECT_TRUE(reply) << (reply ? "" : reply.error().message);
    if (!reply) return "";
    EXPECT_EQ(reply->other_kind, "task") << reply->body.text();
    const auto handle = json::decode<ExtensionTask>(reply->body);
    return handle ? handle->taskId : "";
  }
  ExtensionTask get(const std::string& id) {
    const auto reply = request("tasks/get", with_id(id));
    EXPECT_TRUE(reply) << (reply ? "" : reply.error().message);
    return reply ? *json::decode<ExtensionTask>(reply->body) : ExtensionTask();
  }
  /// The task, once it has one of these statuses.
  ExtensionTask wait_for_any(const std::string& id, std::initializer_list<TaskStatus> any) {
    ExtensionTask task = get(id);
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds{30};
    while (std::ranges::find(any, task.status) == any.end() && std::chrono::steady_clock::now() < limit) {
      loop->context().restart();
      loop->context().run_one_for(std::chrono::milliseconds{10});
      task = get(id);
    }
    return task;
  }
  ExtensionTask wait_for(const std::string& id, TaskStatus status) {
    auto task = wait_for_any(id, {status});
    EXPECT_EQ(task.status, status);
    return task;
  }
  Result<Reply> answer(const std::string& id, const std::string& responses) {
    return request("tasks/update", R"({"taskId":")" + id + R"(","inputResponses":)" + responses + "}");
  }
};

}  // namespace fairlead::server::test
