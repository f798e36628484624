#include "server/tasks/task_run.hpp"

#include <algorithm>
#include <exception>
#include <fairlead/json/object_edit.hpp>
#include <utility>

#include "base/exceptions.hpp"
#include "server/run_handler.hpp"
#include "server/tasks/task_outcome.hpp"
#include "server/tool_invocation.hpp"

namespace fairlead::server {
namespace {

using protocol::TaskStatus;

// A handler that ignores its cancellation for this long is left behind, and its result is dropped.
constexpr std::chrono::seconds cancellation_grace{5};

// Without what belongs to the connection, except the channel to the client, which the run gives up with the handle.
session::Call copy_of(const session::Call& call) {
  session::Call copy{.method = call.method, .params = call.params};
  copy.context.revision = call.context.revision;
  copy.context.caller = call.context.caller;
  copy.context.principal = call.context.principal;
  copy.context.identity = call.context.identity;
  copy.context.session_key = call.context.session_key;
  copy.context.id = call.context.id;
  copy.context.progress_token = call.context.progress_token;
  copy.context.peer = call.context.peer;
  return copy;
}

Task<Result<protocol::CallToolResult>> run_tool(const ToolInvocation& invocation, ContextState& state) {
  constexpr auto fault = ToolInvocation::handler_fault;
  const auto& handler = invocation.handler();
  const auto input = invocation.input();
  if (is_plain(handler)) co_return run_plain(handler, input, state, fault);
  if (!handler.blocking) watch_for_cancellation(state, co_await this_task::stop_token);
  Context context(state);
  fairlead::detail::OutcomeAwaiter ending{begin_handler(handler, input, state, context)};
  auto outcome = co_await std::move(ending);
  co_return result_of(std::move(outcome), fault);
}

// Name and arguments: the rest belongs to the request or is stored elsewhere.
json::Payload stored_params(const json::Payload& params) {
  json::ObjectEdit edit(params.text());
  for (const auto key : {"_meta", "inputResponses", "requestState", "task"}) edit.erase(key);
  return json::Payload::trusted(edit.text());
}

struct RequestedTask {
  std::optional<std::int64_t> ttl = {};
};
struct RequestedTaskParams {
  std::optional<RequestedTask> task = {};
};

// The lifetime that a client of the handshake era asks for, as far as the policy allows it.
std::int64_t requested_ttl(const json::Payload& params, std::int64_t longest) {
  const auto decoded = json::decode<RequestedTaskParams>(params);
  if (!decoded || !decoded->task || !decoded->task->ttl) return longest;
  return std::clamp<std::int64_t>(*decoded->task->ttl, 1, longest);
}

Error current_error() {
  if (is_cancelled(std::current_exception())) return {.kind = ErrorKind::cancelled, .message = "cancelled"};
  return protocol_error(ProtocolError::internal, "the handler threw an exception");
}

}  // namespace

TaskRun::TaskRun(ServerState& server, const session::Call& call, std::shared_ptr<const RegisteredTool> tool,
                 boost::asio::any_io_executor executor)
    : server_(server),
      call_(copy_of(call)),
      tool_(std::move(tool)),
      executor_(std::move(executor)),
      state_{.server = server, .call = call_, .run = this},
      requested_(call.context.revision->lifecycle == protocol::Lifecycle::handshake),
      changed_(executor_),
      delay_(executor_),
      timeout_(executor_) {}

// The event loop was destroyed, or the task has ended.
TaskRun::~TaskRun() {
  watch_.reset();
  if (is_task() && !ended_) server_.tasks.store->release(id_);
}

Task<Result<session::Reply>> TaskRun::serve(std::shared_ptr<TaskRun> run) {
  start(run->executor_, execute(run), [](const TaskOutcome<void>&) {}, &run->stop_);
  auto reply = co_await run->first_reply_.wait();
  if (reply) {
    // Not inside the handler, which may destroy this request with its next step.
    co_await next_turn;
    co_return std::move(*reply);
  }
  // As for any call, the request ends when its handler has: it may still use the connection.
  const auto shield = co_await this_task::shield;
  run->request_gone_ = true;
  run->stop_handler();
  while (!run->ended_ && !run->is_task()) co_await run->changed_.wait();
  co_return fail(ErrorKind::cancelled, "cancelled");
}

void TaskRun::resume(const std::shared_ptr<TaskRun>& run, const TaskRecord& record) {
  run->id_ = record.id;
  run->phase_ = Phase::task;
  run->state_.replay_state = {.answers = record.answers, .once = record.once};
  for (const auto& key : record.begun) {
    if (!record.once.contains(key)) run->interrupted_.insert(key);
  }
  run->attach();
  start(run->executor_, execute(run), [](const TaskOutcome<void>&) {}, &run->stop_);
}

Task<void> TaskRun::execute(std::shared_ptr<TaskRun> run) {
  Result<session::Reply> reply;
  try {
    reply = co_await run->call_handler();
  } catch (...) {
    reply = std::unexpected(current_error());
  }
  // The end is recorded even if the handler was stopped.
  const auto shield = co_await this_task::shield;
  co_await run->end(std::move(reply));
}

Task<Result<session::Reply>> TaskRun::call_handler() {
  const auto& policy = tool_->entry.task;
  if (!is_task()) {
    if (auto restored = restore(state_); !restored) co_return std::unexpected(std::move(restored.error()));
    // In the handshake era, the client asked for a task.
    const bool must = policy.mode == TaskMode::required || requested_;
    const bool at_once = must || policy.after <= Duration::zero();
    if (at_once) co_await become_task();
    if (must && !is_task()) co_return std::unexpected(creation_error_);
    if (!at_once) arm_delay();
  }
  const ToolInvocation invocation{tool_, tool_arguments(call_.params)};
  auto output = co_await run_tool(invocation, state_);
  if (!state_.input_requests.empty()) co_return end_round(state_);
  co_return invocation.finish(call_, std::move(output));
}

void TaskRun::arm_delay() {
  const auto after = tool_->entry.task.after;
  if (after == TaskPolicy::by_hand) return;
  delay_.expires_after(after);
  delay_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    const auto run = error ? nullptr : weak.lock();
    if (run) start(run->executor_, become_after_delay(run), [](const TaskOutcome<void>&) {});
  });
}

Task<void> TaskRun::become_after_delay(std::shared_ptr<TaskRun> run) {
  if (!run->ended_) co_await run->become_task();
}

Task<bool> TaskRun::settle() {
  const auto shield = co_await this_task::shield;
  while (phase_ == Phase::creating) co_await changed_.wait();
  co_return is_task();
}

// Shielded: a stopped handler must not leave the task half created.
Task<bool> TaskRun::become_task() {
  const auto self = shared_from_this();
  const auto shield = co_await this_task::shield;
  // A round that has ended waits for the client to repeat the call.
  if (phase_ != Phase::plain || !state_.input_requests.empty()) co_return co_await settle();
  phase_ = Phase::creating;
  while (peer_uses_ > 0) co_await changed_.wait();
  const auto record = new_record();
  auto created = co_await server_.tasks.create(record);
  if (!created) {
    const auto code = jsonrpc::code::internal_error;
    creation_error_ = {.kind = ErrorKind::refused, .message = std::move(created.error().message), .code = code};
    phase_ = Phase::plain_for_good;
    changed_.notify();
    co_return false;
  }
  phase_ = Phase::task;
  attach();
  changed_.notify();
  if (request_gone_) stop_handler();
  auto shown = co_await server_.tasks.store->get(id_);
  if (shown && *shown) first_reply_.set(Result<session::Reply>(task_handle(**shown, server_.tasks.options.now())));
  co_return true;
}

TaskRecord TaskRun::new_record() const {
  const auto& policy = tool_->entry.task;
  TaskRecord record{.id = id_};
  record.principal = call_.context.principal;
  record.tool = tool_->name();
  record.params = stored_params(call_.params);
  record.capabilities = json::to_payload(call_.context.caller->capabilities);
  record.revision = call_.context.revision->name;
  record.ttl = requested_ttl(call_.params, policy.ttl.count());
  record.keep = policy.keep.count();
  record.poll = policy.poll.count();
  record.fails_on_restart = policy.restart == TaskRestart::fail;
  record.answers = state_.replay_state.answers;
  record.once = state_.replay_state.once;
  record.begun.assign(begun_.begin(), begun_.end());
  return record;
}

void TaskRun::attach() {
  call_.context.peer = nullptr;
  call_.context.progress_token.reset();
  running_.emplace(server_.tasks);
  watch_.emplace(executor_, *server_.tasks.store, id_, [weak = weak_from_this()] {
    const auto run = weak.lock();
    if (!run) return;
    run->wake();
    start(run->executor_, check_cancel(run), [](const TaskOutcome<void>&) {});
  });
}

void TaskRun::wake() {
  ++wakeups_;
  changed_.notify();
}

void TaskRun::stop_handler() {
  if (std::exchange(stopping_, true)) return;
  if (is_task()) {
    timeout_.expires_after(cancellation_grace);
    timeout_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
      const auto run = error ? nullptr : weak.lock();
      if (run) start(run->executor_, end_cancelled(run), [](const TaskOutcome<void>&) {});
    });
  }
  stop_.request_stop();
}

Task<void> TaskRun::check_cancel(std::shared_ptr<TaskRun> run) {
  if (run->ended_ || run->stopping_) co_return;
  auto found = co_await run->server_.tasks.store->get(run->id_);
  if (found && *found && (*found)->cancel_requested) run->stop_handler();
}

Task<void> TaskRun::end_cancelled(std::shared_ptr<TaskRun> run) {
  if (run->ended_) co_return;
  co_await run->server_.tasks.update(run->id_, [](TaskRecord& record) {
    record.status = TaskStatus::cancelled;
    record.questions.clear();
    return true;
  });
}

Task<void> TaskRun::end(Result<session::Reply> reply) {
  delay_.cancel();
  const bool is_a_task = co_await settle();
  if (is_a_task) co_await finish(reply);
  ended_ = true;
  running_.reset();
  timeout_.cancel();
  if (!is_a_task) first_reply_.set(std::move(reply));
  changed_.notify();
}

Task<void> TaskRun::finish(const Result<session::Reply>& reply) {
  const auto max_result = server_.tasks.options.max_result;
  co_await server_.tasks.update(id_, [&](TaskRecord& record) {
    set_outcome(record, reply, call_, max_result);
    return true;
  });
}

}  // namespace fairlead::server
