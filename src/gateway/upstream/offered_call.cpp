#include "gateway/upstream/offered_call.hpp"

#include <exception>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/writer.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/server/task_policy.hpp>

#include "client/input_rounds.hpp"
#include "gateway/model/json_rewrite.hpp"
#include "gateway/model/request_target.hpp"

namespace fairlead::gateway {
namespace {

using protocol::TaskStatus;
using server::TaskRecord;

// Not made inside a co_await: GCC 12 destroys such a temporary twice.
using TaskEdit = std::function<bool(TaskRecord&)>;

constexpr std::size_t max_questions = 64;
constexpr std::size_t max_status_text = 1024;

// Without what belongs to the request.
Call detached(const Call& request) {
  Call call{.method = request.method, .params = request.params, .context = request.context};
  call.timeouts = request.timeouts;
  call.dependencies = request.dependencies;
  call.context.peer_closed = {};
  return call;
}

TaskRecord record_of(const Call& call, std::string id) {
  TaskRecord record{.id = std::move(id), .principal = call.context.principal};
  const auto tool = string_member(call.params, "name");
  if (tool) record.tool = tool->name;
  const server::TaskPolicy defaults;
  record.ttl = defaults.ttl.count();
  record.keep = defaults.keep.count();
  record.poll = defaults.poll.count();
  return record;
}

json::Payload error_object(const jsonrpc::ErrorObject& error) {
  std::string text;
  {
    json::ObjectWriter object(text);
    object.raw("code", std::to_string(error.code)).text("message", error.message);
    if (error.data) object.raw("data", error.data->text());
  }
  return json::Payload::trusted(std::move(text));
}

void set_result(TaskRecord& record, json::Payload body, const Call& call) {
  const protocol::ResultEnvelope envelope{.method = call.method};
  const auto& revision = *call.context.revision;
  record.status = TaskStatus::completed;
  record.result = revision.codec->encode_result(std::move(body), envelope, revision);
}

// A failed tool is a completed task with `isError`; a protocol error is a failed task.
void set_outcome(TaskRecord& record, const Result<Reply>& reply, const Call& call) {
  record.questions.clear();
  if (reply) return set_result(record, reply->body, call);
  if (reply.error().kind == ErrorKind::cancelled) {
    record.status = TaskStatus::cancelled;
    return;
  }
  auto encoded = protocol::encode_error(reply.error(), *call.context.revision);
  if (auto* body = std::get_if<json::Payload>(&encoded)) return set_result(record, std::move(*body), call);
  record.status = TaskStatus::failed;
  record.error = error_object(std::get<protocol::WireError>(encoded).error);
}

// How a server of the handshake revisions refuses a plain call of a tool that requires a task.
bool requires_task(const Result<Reply>& reply, const Backend& server) {
  const auto* description = server.last_description();
  return !reply && reply.error().code == jsonrpc::code::method_not_found && description != nullptr &&
         description->capabilities.tasks.has_value();
}

}  // namespace

OfferedCall::OfferedCall(const EventLoop& loop, const Call& request, std::shared_ptr<OfferedTasks> tasks)
    : call_(detached(request)), client_(request.context.peer), tasks_(std::move(tasks)), changed_(loop.executor) {
  call_.context.peer = this;
}

Task<void> OfferedCall::run(std::shared_ptr<OfferedCall> self, std::shared_ptr<Backend> server) {
  Result<Reply> reply = fail(ErrorKind::cancelled, "cancelled");
  try {
    reply = co_await self->call_server(*server);
  } catch (...) {
    // Cancelled, or a fault of a middleware, which the log has.
  }
  const auto shield = co_await this_task::shield;
  co_await self->end(std::move(reply));
}

Task<Result<Reply>> OfferedCall::call_server(Backend& server) {
  auto reply = co_await server.call(call_);
  if (requires_task(reply, server)) co_return co_await call_as_legacy_task(server);
  if (!reply || reply->kind != protocol::ResultKind::input_required || id_.empty()) co_return reply;
  co_return co_await answer_rounds(server, std::move(*reply));
}

// The result is awaited with tasks/result, during which the server may send requests.
Task<Result<Reply>> OfferedCall::call_as_legacy_task(Backend& server) {
  auto begin = call_;
  begin.params = json::Payload::trusted(json::ObjectEdit(call_.params.text()).set("task", "{}").text());
  begin.context.revision = server.last_description()->revision;
  auto started = co_await server.call(begin);
  const auto task = started ? json::member_of(started->body, "task") : std::string_view();
  const auto id = json::member_of(task, "taskId");
  if (id.empty()) co_return started;
  auto result = on_behalf_of(begin, "tasks/result", R"({"taskId":)" + std::string(id) + "}");
  auto cancel = on_behalf_of(begin, "tasks/cancel", R"({"taskId":)" + std::string(id) + "}");
  std::exception_ptr failure;
  try {
    co_return co_await server.call(result);
  } catch (...) {
    failure = std::current_exception();
  }
  const auto shield = co_await this_task::shield;
  co_await server.call(cancel);
  std::rethrow_exception(failure);
}

// The server of a task asks in the results of several rounds.
Task<Result<Reply>> OfferedCall::answer_rounds(Backend& server, Reply first) {
  auto next = call_;
  while (first.kind == protocol::ResultKind::input_required) {
    const auto input = json::decode<protocol::InputRequiredResult>(first.body);
    if (!input) co_return std::unexpected(input.error());
    protocol::InputResponses responses;
    const auto requests = input->inputRequests.value_or(protocol::InputRequests());
    for (const auto& [key, wanted] : requests) {
      auto params = wanted.params.value_or(json::Payload::trusted("{}"));
      auto response = co_await request(wanted.method, std::move(params));
      if (!response) co_return std::unexpected(std::move(response.error()));
      responses.emplace(key, std::move(response->body));
    }
    next.params = client::next_round_params(call_.params, responses, input->requestState);
    auto reply = co_await server.call(next);
    if (!reply) co_return reply;
    first = std::move(*reply);
  }
  co_return first;
}

Task<std::optional<Result<Reply>>> OfferedCall::wait(TimerWheel& timers, Deadline until) {
  Timer timer(timers, [this] { changed_.notify(); });
  timer.arm(until);
  while (!outcome_ && (at_client_ > 0 || !until.passed(timers.clock()))) co_await changed_.wait();
  co_return outcome_;
}

Task<Result<Reply>> OfferedCall::become_task() {
  auto record = record_of(call_, server::make_task_id());
  const auto id = record.id;
  auto created = co_await tasks_->stored.create(std::move(record));
  if (!created) co_return std::unexpected(std::move(created.error()));
  id_ = id;
  client_ = nullptr;
  tasks_->running[id_] = weak_from_this();
  auto stored = co_await tasks_->stored.store->get(id_);
  if (!stored || !*stored) co_return fail(ErrorKind::closed, "the task was not stored");
  co_return server::task_handle(**stored, tasks_->stored.options.now());
}

Task<void> OfferedCall::end(Result<Reply> reply) {
  outcome_.emplace(std::move(reply));
  changed_.notify();
  if (id_.empty()) co_return;
  tasks_->running.erase(id_);
  const TaskEdit finish = [this](TaskRecord& record) {
    set_outcome(record, *outcome_, call_);
    return true;
  };
  co_await tasks_->stored.update(id_, finish);
}

Task<Result<Reply>> OfferedCall::request(std::string method, json::Payload params) {
  const auto self = shared_from_this();
  if (id_.empty()) {
    if (client_ == nullptr) co_return fail(ErrorKind::closed, "the client has gone");
    ++at_client_;
    auto answer = co_await client_->request(std::move(method), std::move(params));
    --at_client_;
    changed_.notify();
    co_return answer;
  }
  if (questions_.size() >= max_questions) co_return fail(ErrorKind::refused, "the task has too many open questions");
  const auto key = "q" + std::to_string(last_question_++);
  const auto question = std::make_shared<Promise<Result<Reply>>>();
  questions_.emplace(key, question);
  const TaskEdit ask = [&](TaskRecord& record) {
    record.status = TaskStatus::input_required;
    record.questions.insert_or_assign(key, protocol::InputRequest{method, params});
    return true;
  };
  co_await tasks_->stored.update(id_, ask);
  auto answer = co_await question->wait();
  questions_.erase(key);
  if (!answer) co_return fail(ErrorKind::cancelled, "the task has ended");
  co_return std::move(*answer);
}

// Applied before the acknowledgement: the next tasks/get shows the other questions only.
Task<void> OfferedCall::answer(protocol::InputResponses responses) {
  const auto self = shared_from_this();
  std::vector<std::string> answered;
  const TaskEdit apply = [&](TaskRecord& record) {
    answered.clear();
    for (const auto& [key, response] : responses) {
      if (record.questions.erase(key) != 0) answered.push_back(key);
    }
    if (record.questions.empty()) record.status = TaskStatus::working;
    return !answered.empty();
  };
  const auto updated = co_await tasks_->stored.update(id_, apply);
  if (!updated) co_return;
  for (const auto& key : answered) {
    const auto question = questions_.find(key);
    if (question == questions_.end()) continue;
    const auto promise = question->second;
    promise->set(Result<Reply>(Reply{.body = std::move(responses.at(key))}));
  }
}

Task<Result<void>> OfferedCall::notify(std::string method, json::Payload params) {
  if (client_ != nullptr) co_return co_await client_->notify(std::move(method), std::move(params));
  if (!id_.empty() && method == protocol::Progress::method) co_await show_progress(params.text());
  co_return Result<void>();
}

// A task has no progress notifications, only a status text.
Task<void> OfferedCall::show_progress(std::string_view params) {
  const auto text = json::member_of(params, "message");
  if (!text.starts_with('"')) co_return;
  auto message = server::shortened(json::decode<std::string>(text).value_or(""), max_status_text);
  const TaskEdit show = [&](TaskRecord& record) {
    if (record.message == message) return false;
    record.message = message;
    return true;
  };
  co_await tasks_->stored.update(id_, show);
}

}  // namespace fairlead::gateway
