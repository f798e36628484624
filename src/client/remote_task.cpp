#include <fairlead/client/remote_task.hpp>

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <utility>

#include "client/input_rounds.hpp"
#include "client/remote_task_state.hpp"

namespace fairlead::client {
namespace {

using protocol::ExtensionTask;
using protocol::TaskStatus;
using std::chrono::milliseconds;

constexpr std::size_t max_failed_polls = 5;
constexpr Duration cancel_timeout = std::chrono::seconds{5};

json::Payload id_params(const std::string& id) {
  protocol::TaskIdParams params;
  params.taskId = id;
  return json::to_payload(params);
}

Result<protocol::CallToolResult> decode_call_result(const json::Payload& body) {
  return json::decode<protocol::CallToolResult>(body);
}

ExtensionTask with_extension_names(protocol::LegacyTask legacy) {
  ExtensionTask task;
  task.taskId = std::move(legacy.taskId);
  task.status = legacy.status;
  task.statusMessage = std::move(legacy.statusMessage);
  task.createdAt = std::move(legacy.createdAt);
  task.lastUpdatedAt = std::move(legacy.lastUpdatedAt);
  task.ttlMs = legacy.ttl;
  task.pollIntervalMs = legacy.pollInterval;
  return task;
}

Result<ExtensionTask> decode_legacy(const Result<protocol::LegacyTask>& task) {
  if (!task) return std::unexpected(task.error());
  return with_extension_names(*task);
}

bool is_legacy(const ConnectionState& connection) {
  const auto* revision = connection.server.revision;
  return revision != nullptr && revision->lifecycle == protocol::Lifecycle::handshake;
}

Task<Result<ExtensionTask>> fetch(std::shared_ptr<RemoteTaskState> task) {
  auto body =
      co_await task->connection->request(std::string(protocol::GetTask::method), id_params(task->id), CallOptions());
  if (body && is_legacy(*task->connection)) co_return decode_legacy(json::decode<protocol::LegacyTask>(*body));
  if (body) co_return json::decode<ExtensionTask>(*body);
  auto error = std::move(body.error());
  if (error.code == jsonrpc::code::invalid_params) {
    error.message = "the server does not have the task " + task->id + ", it may have expired: " + error.message;
    error.cause = cause_task_gone;
  }
  co_return std::unexpected(std::move(error));
}

/// Answers the questions that were not answered yet.
Task<Result<void>> fulfil_input_requests(std::shared_ptr<RemoteTaskState> task, protocol::InputRequests questions) {
  std::erase_if(questions, [&](const auto& each) { return !task->answered.insert(each.first).second; });
  if (questions.empty()) co_return Result<void>();
  auto responses = co_await respond_to(task->connection->request_handler, questions);
  if (!responses) co_return std::unexpected(std::move(responses.error()));
  protocol::UpdateTaskParams params;
  params.taskId = task->id;
  params.inputResponses = std::move(*responses);
  auto acknowledged = co_await task->connection->request(std::string(protocol::UpdateTask::method),
                                                         json::to_payload(params), CallOptions());
  if (!acknowledged) co_return std::unexpected(std::move(acknowledged.error()));
  co_return Result<void>();
}

struct TaskFault {
  std::int64_t code = 0;
  std::string message = {};
  std::optional<json::Payload> data = {};
};

/// The result of a task that has ended.
Result<json::Payload> outcome_of(const ExtensionTask& task, const ConnectionState& connection) {
  if (task.status == TaskStatus::cancelled)
    return fail(ErrorKind::refused, "the task " + task.taskId + " was cancelled");
  if (task.status == TaskStatus::completed && task.result) {
    auto decoded = connection.server.revision->codec->decode_result(*task.result);
    if (!decoded) return std::unexpected(std::move(decoded.error()));
    return std::move(decoded->body);
  }
  const auto fault = task.error ? json::decode<TaskFault>(*task.error) : Result<TaskFault>();
  if (task.status != TaskStatus::failed || !fault)
    return fail(ErrorKind::malformed, "the task " + task.taskId + " has ended without a result and without an error");
  return std::unexpected(Error{.kind = ErrorKind::refused,
                               .message = fault->message,
                               .code = fault->code,
                               .data = fault->data ? std::string(fault->data->text()) : ""});
}

bool has_ended(const ExtensionTask& task) {
  return task.status != TaskStatus::working && task.status != TaskStatus::input_required;
}

/// The suggested interval within limits; without one, a second at first and then longer.
milliseconds poll_pause(const RemoteTaskState& task, std::size_t polls) {
  constexpr std::int64_t least = 100, most = 60'000, first = 1'000, last = 10'000;
  const auto growing = std::min(last, first * static_cast<std::int64_t>(polls));
  return milliseconds(task.poll_interval ? std::clamp(*task.poll_interval, least, most) : growing);
}

Task<void> pause(Duration duration) {
  boost::asio::steady_timer timer(co_await this_task::executor, duration);
  co_await timer.async_wait(use_task);
}

/// The result of a task of the handshake era. The server asks its questions meanwhile, by requests of its own.
Task<Result<json::Payload>> fetch_result(std::shared_ptr<RemoteTaskState> task) {
  CallOptions call_options;
  call_options.timeouts = session::Timeouts::endless();
  co_return co_await task->connection->request(std::string(protocol::GetTaskResult::method), id_params(task->id),
                                               std::move(call_options));
}

/// The result of a task that has ended, or that asks questions in the handshake era.
Task<Result<json::Payload>> finish(std::shared_ptr<RemoteTaskState> task, ExtensionTask current) {
  const bool is_cancelled = current.status == TaskStatus::cancelled;
  if (is_legacy(*task->connection) && !is_cancelled) co_return co_await fetch_result(task);
  co_return outcome_of(current, *task->connection);
}

/// Observes the changes of a task for the caller of the call.
class ProgressReport {
 public:
  explicit ProgressReport(const CallOptions& options) : options_(options) {}

  void observe(const ExtensionTask& task) {
    if (task.lastUpdatedAt == updated_ && task.status == status_) return;
    updated_ = task.lastUpdatedAt;
    status_ = task.status;
    changed_ = real_clock().now();
    if (!options_.on_progress || !task.statusMessage || *task.statusMessage == message_) return;
    message_ = *task.statusMessage;
    protocol::ProgressParams progress;
    progress.progress = static_cast<double>(++reports_);
    progress.message = message_;
    options_.on_progress(progress);
  }

  /// True if the caller set a timeout and the task did not change for so long.
  bool is_stalled() const { return options_.timeouts && real_clock().now() - changed_ > options_.timeouts->idle; }

 private:
  const CallOptions& options_;
  std::string updated_ = {};
  std::optional<TaskStatus> status_ = {};
  std::string message_ = {};
  std::size_t reports_ = 0;
  TimePoint changed_ = real_clock().now();
};

/// True if the next poll may succeed on a new connection.
bool is_transient(const Error& error, const ConnectionState& connection) {
  return connection.options.reconnect && (error.kind == ErrorKind::closed || error.kind == ErrorKind::timeout);
}

}  // namespace

Result<std::shared_ptr<RemoteTaskState>> remote_task_of(std::shared_ptr<ConnectionState> connection, std::string tool,
                                                        const json::Payload& handle) {
  const auto nested = json::member_of(handle, "task");
  auto task = nested.empty()
                  ? json::decode<ExtensionTask>(handle)
                  : decode_legacy(json::decode<protocol::LegacyTask>(json::Payload::trusted(std::string(nested))));
  if (!task) return std::unexpected(std::move(task.error()));
  auto state = std::make_shared<RemoteTaskState>();
  state->connection = std::move(connection);
  state->id = std::move(task->taskId);
  state->tool = std::move(tool);
  state->poll_interval = task->pollIntervalMs;
  return state;
}

Task<Result<json::Payload>> poll_task(std::shared_ptr<RemoteTaskState> task, CallOptions call_options) {
  ProgressReport report(call_options);
  std::size_t failures = 0;
  for (std::size_t polls = 1; !task->result; ++polls) {
    auto current = co_await fetch(task);
    if (!current) {
      if (++failures > max_failed_polls || !is_transient(current.error(), *task->connection))
        co_return std::unexpected(std::move(current.error()));
    } else {
      report.observe(*current);
      task->poll_interval = current->pollIntervalMs;
      const bool asks_by_result = is_legacy(*task->connection) && current->status == TaskStatus::input_required;
      if (has_ended(*current) || asks_by_result) {
        auto outcome = co_await finish(task, std::move(*current));
        if (outcome) task->result = *outcome;
        // A lost connection does not end the task.
        if (!outcome && is_transient(outcome.error(), *task->connection) && ++failures <= max_failed_polls) continue;
        co_return outcome;
      }
      auto questions = std::move(current->inputRequests).value_or(protocol::InputRequests());
      auto answered = co_await fulfil_input_requests(task, std::move(questions));
      if (!answered) co_return std::unexpected(std::move(answered.error()));
      failures = 0;
    }
    if (report.is_stalled())
      co_return fail(ErrorKind::timeout, "the task " + task->id + " did not change within the timeout");
    co_await pause(poll_pause(*task, polls));
  }
  co_return *task->result;
}

Task<Result<json::Payload>> finish_task(std::shared_ptr<RemoteTaskState> task, CallOptions call_options) {
  auto& timers = task->connection->loop.timers;
  auto until = Deadline::never();
  if (call_options.timeouts) until = Deadline::in(call_options.timeouts->total, timers.clock());
  auto ended = co_await with_deadline(timers, until, poll_task(task, std::move(call_options)));
  if (ended) co_return ended;
  const auto why = ended.error().kind;
  if (why == ErrorKind::timeout || why == ErrorKind::cancelled) {
    const auto shield = co_await this_task::shield;
    const auto limit = Deadline::in(cancel_timeout, timers.clock());
    co_await with_deadline(timers, limit, RemoteTask(task).cancel());
  }
  co_return ended;
}

const std::string& RemoteTask::tool() const {
  return state_->tool;
}

bool RemoteTask::done() const {
  return state_->result.has_value();
}

Task<Result<ExtensionTask>> RemoteTask::status() {
  const auto state = state_;
  if (!state->id.empty()) co_return co_await fetch(state);
  ExtensionTask task;
  task.status = TaskStatus::completed;
  task.result = state->result;
  co_return task;
}

Task<Result<protocol::CallToolResult>> RemoteTask::wait(Duration limit) {
  const auto state = state_;
  auto& timers = state->connection->loop.timers;
  const auto until = Deadline::in(limit, timers.clock());
  CallOptions no_options;
  auto body = co_await with_deadline(timers, until, poll_task(state, std::move(no_options)));
  if (!body) co_return std::unexpected(std::move(body.error()));
  auto result = decode_call_result(*body);
  const bool validates = state->connection->options.validate_results != ResultValidation::never;
  if (!result || !validates) co_return result;
  if (auto checked = state->connection->schemas.check(state->tool, *result); !checked)
    co_return std::unexpected(checked.error());
  co_return result;
}

Task<Result<void>> RemoteTask::cancel() {
  const auto state = state_;
  if (state->id.empty()) co_return Result<void>();
  auto acknowledged = co_await state->connection->request(std::string(protocol::CancelTask::method),
                                                          id_params(state->id), CallOptions());
  if (!acknowledged) co_return std::unexpected(std::move(acknowledged.error()));
  co_return Result<void>();
}

}  // namespace fairlead::client
