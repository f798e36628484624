#include <algorithm>
#include <fairlead/base/base64.hpp>
#include <fairlead/base/log.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/meta_keys.hpp>
#include <functional>
#include <set>
#include <utility>

#include "base/async_event.hpp"
#include "server/server_state.hpp"
#include "server/tasks/task_watchers.hpp"

/// The methods that only the tasks of the handshake era (2025-11-25) have.
namespace fairlead::server {
namespace {

using protocol::TaskStatus;
using session::Call;
using session::Reply;

json::Payload with_related_task(const json::Payload& object, const std::string& id) {
  std::string task;
  json::ObjectWriter(task).text("taskId", id);
  json::ObjectEdit whole(object.text());
  json::ObjectEdit meta(whole.get("_meta"));
  meta.set(protocol::meta::related_task, std::move(task));
  whole.set("_meta", meta.text());
  return json::Payload::trusted(whole.text());
}

struct StoredError {
  std::int64_t code = 0;
  std::string message = "";
  std::optional<json::Payload> data = {};
};

// What the call would have returned without a task.
Result<Reply> outcome_of(const TaskRecord& record) {
  if (record.result) return Reply{.body = with_related_task(*record.result, record.id)};
  if (record.status == TaskStatus::cancelled) return refuse(ProtocolError::invalid_params, "the task was cancelled");
  const auto error = record.error ? json::decode<StoredError>(*record.error) : Result<StoredError>();
  if (!error) return refuse(ProtocolError::internal, "the task failed");
  return std::unexpected(Error{.kind = ErrorKind::refused,
                               .message = error->message,
                               .code = error->code,
                               .data = error->data ? std::string(error->data->text()) : ""});
}

json::Payload question_params(const protocol::InputRequest& question, const std::string& key, const std::string& id) {
  json::ObjectEdit params(question.params ? question.params->text() : "{}");
  // URL elicitations of the handshake era carry an elicitationId.
  if (params.get("mode") == R"("url")") params.set("elicitationId", json::encode(id + "-" + key));
  return with_related_task(json::Payload::trusted(params.text()), id);
}

/// One tasks/result request: waits for the end of a task, and asks the client what the task asks meanwhile.
class ResultRequest {
 public:
  ResultRequest(ServerState& server, const Call& call, std::string id, const boost::asio::any_io_executor& executor)
      : server_(server),
        call_(call),
        id_(std::move(id)),
        changed_(executor),
        watch_(executor, *server.tasks.store, id_, [this] { wake(); }) {}

  Task<void> wait(TaskScope& questions) {
    while (!outcome_) {
      const auto before = wakeups_;
      auto record = co_await server_.find_task(id_, call_.context);
      if (!record) {
        outcome_ = std::unexpected(std::move(record.error()));
      } else if (record->has_ended()) {
        outcome_ = outcome_of(*record);
      } else {
        ask_new(*record, questions);
        while (wakeups_ == before && !outcome_) co_await changed_.wait();
      }
    }
    // Withdraws the questions that are still open at the client.
    questions.cancel();
  }

  Result<Reply> outcome() { return std::move(*outcome_); }

 private:
  void ask_new(const TaskRecord& record, TaskScope& questions) {
    for (const auto& [key, question] : record.questions) {
      if (!asked_.insert(key).second) continue;
      questions.spawn(ask(key, question.method, question_params(question, key, id_)));
    }
  }

  Task<void> ask(std::string key, std::string method, json::Payload params) {
    auto* channel = call_.context.peer;
    if (channel == nullptr) co_return fail_with({.kind = ErrorKind::closed, .message = "no client can be asked"});
    auto reply = co_await channel->request(std::move(method), std::move(params));
    if (!reply) co_return fail_with(std::move(reply.error()));
    protocol::InputResponses responses;
    responses.emplace(std::move(key), std::move(reply->body));
    auto stored = co_await server_.tasks.update(id_, [&](TaskRecord& record) { return record.add_answers(responses); });
    if (!stored) fail_with(std::move(stored.error()));
  }

  // The question stays open: another tasks/result asks again.
  void fail_with(Error error) {
    if (!outcome_) outcome_ = std::unexpected(std::move(error));
    wake();
  }

  void wake() {
    ++wakeups_;
    changed_.notify();
  }

  ServerState& server_;
  const Call& call_;
  std::string id_;
  std::set<std::string> asked_ = {};
  std::size_t wakeups_ = 0;
  AsyncEvent changed_;
  TaskWatch watch_;
  std::optional<Result<Reply>> outcome_ = {};
};

bool is_older(const TaskRecord& a, const TaskRecord& b) {
  return std::tie(a.created, a.id) < std::tie(b.created, b.id);
}

}  // namespace

Task<Result<Reply>> ServerState::task_result(Call& call) {
  auto params = json::decode<protocol::TaskIdParams>(call.params);
  if (!params) co_return refuse(ProtocolError::invalid_params, params.error().message);
  ResultRequest request(*this, call, std::move(params->taskId), co_await this_task::executor);
  const std::function<Task<void>(TaskScope&)> wait = [&](TaskScope& questions) { return request.wait(questions); };
  // Questions that are withdrawn end with an error that is expected.
  NullSink log;
  co_await with_scope(log, "tasks/result", wait);
  co_return request.outcome();
}

// Without a principal, the callers cannot be told apart: nothing is listed, and the capability is not declared.
Task<Result<Reply>> ServerState::list_tasks(Call& call) {
  const auto params = json::decode<protocol::PaginatedParams>(call.params);
  if (!params) co_return refuse(ProtocolError::invalid_params, params.error().message);
  if (call.context.principal.empty()) {
    co_return refuse(ProtocolError::unknown_method, "tasks/list needs an authenticated caller", call.method);
  }
  auto found = co_await tasks.store->list(call.context.principal);
  if (!found) co_return std::unexpected(std::move(found.error()));
  std::erase_if(*found, [&](const TaskRecord& record) { return !is_own_task(record, call.context); });
  std::ranges::sort(*found, is_older);
  auto first = found->begin();
  if (params->cursor) {
    const auto after = std::ranges::find(*found, *params->cursor, &TaskRecord::id);
    if (after == found->end())
      co_return refuse(ProtocolError::bad_cursor, "unknown cursor; restart the list", *params->cursor);
    first = after + 1;
  }
  protocol::ListTasksResult result;
  for (; first != found->end() && result.tasks.size() < page_size; ++first) {
    result.tasks.push_back(legacy_task(*first, tasks.options.now()));
  }
  if (first != found->end()) result.nextCursor = result.tasks.back().taskId;
  co_return reply_of(result);
}

// The task must be cancelled before the response, and a task that has ended cannot be cancelled.
Task<Result<Reply>> ServerState::cancel_legacy_task(TaskRecord record) {
  bool cancelled = false;
  auto stored = co_await tasks.update(record.id, [&](TaskRecord& current) {
    current.cancel_requested = true;
    current.status = TaskStatus::cancelled;
    current.questions.clear();
    return cancelled = true;
  });
  if (!stored) co_return std::unexpected(std::move(stored.error()));
  if (!cancelled) co_return refuse(ProtocolError::invalid_params, "the task has ended and cannot be cancelled");
  auto now = co_await tasks.store->get(record.id);
  if (!now || !*now) co_return refuse(ProtocolError::internal, "the task has expired");
  co_return reply_of(legacy_task(**now, tasks.options.now()));
}

}  // namespace fairlead::server
