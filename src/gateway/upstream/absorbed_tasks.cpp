#include "gateway/upstream/absorbed_tasks.hpp"

#include <algorithm>
#include <exception>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/writer.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <set>

#include "gateway/middleware/async_sleep.hpp"
#include "gateway/model/gateway_error.hpp"
#include "gateway/model/json_rewrite.hpp"
#include "gateway/model/request_target.hpp"
#include "gateway/model/task_extension.hpp"
#include "gateway/upstream/input_request.hpp"
#include "gateway/upstream/upstream_errors.hpp"
#include "protocol/required_capability.hpp"

namespace fairlead::gateway {
namespace {

using protocol::ExtensionTask;
using protocol::TaskStatus;

std::shared_ptr<const protocol::ClientIdentity> declaring_tasks(const protocol::ClientIdentity& caller) {
  auto declaring = std::make_shared<protocol::ClientIdentity>(caller);
  auto& extensions = declaring->capabilities.extensions;
  if (!extensions) extensions.emplace();
  extensions->try_emplace(std::string(protocol::extension::tasks), json::Payload::trusted("{}"));
  return declaring;
}

Error error_of(const ExtensionTask& task) {
  const auto text = task.error ? task.error->text() : std::string_view("{}");
  const auto message = json::member_of(text, "message"), code = json::member_of(text, "code");
  Error error{.kind = ErrorKind::refused, .message = "the task of the server failed"};
  error.code = json::decode<std::int64_t>(code).value_or(jsonrpc::code::internal_error);
  if (message.starts_with('"')) error.message = json::decode<std::string>(message).value_or(error.message);
  error.data = json::member_of(text, "data");
  return error;
}

Duration poll_interval_of(const ExtensionTask& task) {
  using std::chrono::milliseconds;
  return std::clamp(milliseconds(task.pollIntervalMs.value_or(1000)), milliseconds(100), milliseconds(60'000));
}

/// A task whose client waits in a plain call.
class AbsorbedTask {
 public:
  /// `call` declares the tasks extension; it and `server` must outlive the task.
  AbsorbedTask(EventLoop loop, const Call& call, Backend& server, std::string id, const AbsorbedTaskOptions& options)
      : loop_(std::move(loop)),
        call_(call),
        server_(server),
        id_(std::move(id)),
        options_(options),
        until_(Deadline::in(options.max_time, loop_.timers.clock())) {}

  Task<Result<Reply>> follow(ExtensionTask task);
  /// Whether the task needs no cancellation.
  bool has_ended() const { return ended_; }
  Task<void> cancel() {
    auto request = about_task("tasks/cancel");
    co_await server_.call(request);
  }

 private:
  Call about_task(std::string_view method, std::string members = {}) const {
    return on_behalf_of(call_, method, R"({"taskId":)" + json::encode(id_) + members + "}");
  }
  std::optional<Result<Reply>> outcome_of(ExtensionTask& task);
  Task<Result<ExtensionTask>> poll();
  Task<void> report(const ExtensionTask& task);
  Task<Result<void>> answer(const ExtensionTask& task);
  Task<Result<json::Payload>> request_input(const protocol::InputRequest& input, const std::string& key) const;

  EventLoop loop_;
  const Call& call_;
  Backend& server_;
  std::string id_;
  AbsorbedTaskOptions options_;
  Deadline until_;
  std::string reported_;
  std::int64_t progress_ = 0;
  std::set<std::string> answered_;
  bool ended_ = false;
};

std::optional<Result<Reply>> AbsorbedTask::outcome_of(ExtensionTask& task) {
  if (task.status == TaskStatus::working || task.status == TaskStatus::input_required) return std::nullopt;
  ended_ = true;
  if (task.status == TaskStatus::completed && task.result) {
    const auto* server = server_.last_description();
    return Reply{.body = std::move(*task.result), .written_in = server ? server->revision : nullptr};
  }
  if (task.status != TaskStatus::cancelled) return std::unexpected(error_of(task));
  return std::unexpected(Error{.kind = ErrorKind::refused,
                               .message = "the server cancelled the task of this call",
                               .code = jsonrpc::code::internal_error});
}

Task<Result<Reply>> AbsorbedTask::follow(ExtensionTask task) {
  while (true) {
    co_await report(task);
    auto outcome = outcome_of(task);
    if (outcome) co_return std::move(*outcome);
    if (task.inputRequests) {
      auto answered = co_await answer(task);
      if (!answered) co_return std::unexpected(std::move(answered.error()));
    }
    if (until_.passed(loop_.timers.clock())) co_return std::unexpected(task_timeout(server_.name(), call_));
    const auto wait = std::min(poll_interval_of(task), until_.remaining(loop_.timers.clock()));
    if (!co_await async_sleep(loop_.timers, wait)) co_return fail(ErrorKind::cancelled, "cancelled by the caller");
    auto polled = co_await poll();
    if (!polled) co_return std::unexpected(std::move(polled.error()));
    task = std::move(*polled);
  }
}

// A lost connection is not a lost task.
Task<Result<ExtensionTask>> AbsorbedTask::poll() {
  for (std::size_t failures = 0;; ++failures) {
    auto request = about_task("tasks/get");
    auto reply = co_await server_.call(request);
    if (reply) co_return json::decode<ExtensionTask>(reply->body);
    const bool may_recover = is_transport_failure(reply.error()) || is_timeout(reply.error());
    if (!may_recover) ended_ = true;
    if (!may_recover || failures == options_.max_failures) co_return std::unexpected(std::move(reply.error()));
    const Duration pause = std::chrono::seconds{1};
    const bool slept = co_await async_sleep(loop_.timers, pause);
    if (!slept) co_return fail(ErrorKind::cancelled, "cancelled by the caller");
  }
}

Task<void> AbsorbedTask::report(const ExtensionTask& task) {
  const auto& context = call_.context;
  const auto text = task.statusMessage.value_or("");
  if (!context.progress_token || context.peer == nullptr || text.empty() || text == reported_) co_return;
  reported_ = text;
  std::string params;
  {
    json::ObjectWriter object(params);
    object.raw("progressToken", context.progress_token->to_json()).raw("progress", std::to_string(++progress_));
    object.text("message", text);
  }
  auto payload = json::Payload::trusted(std::move(params));
  co_await context.peer->notify(std::string(protocol::Progress::method), std::move(payload));
}

Task<Result<void>> AbsorbedTask::answer(const ExtensionTask& task) {
  protocol::InputResponses responses;
  for (const auto& [key, input] : *task.inputRequests) {
    if (answered_.contains(key)) continue;
    auto response = co_await request_input(input, key);
    if (!response) co_return std::unexpected(std::move(response.error()));
    answered_.insert(key);
    responses.emplace(key, std::move(*response));
  }
  if (responses.empty()) co_return Result<void>();
  auto update = about_task("tasks/update", R"(,"inputResponses":)" + json::encode(responses));
  auto updated = co_await server_.call(update);
  if (!updated) co_return std::unexpected(std::move(updated.error()));
  co_return Result<void>();
}

Task<Result<json::Payload>> AbsorbedTask::request_input(const protocol::InputRequest& input,
                                                        const std::string& key) const {
  auto params = as_server_request(input, key, call_);
  const auto& declared = call_.context.caller->capabilities;
  auto missing = protocol::undeclared_capability(input.method, params, declared);
  if (!missing && call_.context.peer == nullptr) missing = "{}";
  if (missing) co_return std::unexpected(undeclared_capability(server_.name(), call_, input.method, *missing));
  auto response = co_await call_.context.peer->request(input.method, std::move(params));
  if (!response) co_return std::unexpected(std::move(response.error()));
  co_return std::move(response->body);
}

}  // namespace

bool BackendWithAbsorbedTasks::may_send_requests(ListKind kind, std::string_view name) const {
  return kind == ListKind::tools || target()->may_send_requests(kind, name);
}

Task<Result<Reply>> BackendWithAbsorbedTasks::call(Call& call) {
  const bool may_absorb = call.method == protocol::CallTool::method && !accepts_tasks(call.context);
  return may_absorb ? absorb(call) : target()->call(call);
}

Task<Result<Reply>> BackendWithAbsorbedTasks::absorb(Call& call) {
  const auto server = target();
  auto declaring = call;
  declaring.context.caller = declaring_tasks(*call.context.caller);
  auto reply = co_await server->call(declaring);
  const auto id = reply && is_started_task(*reply) ? string_member(reply->body, "taskId") : std::nullopt;
  if (!id) co_return reply;
  auto begun = json::decode<ExtensionTask>(reply->body);
  if (!begun) co_return std::unexpected(std::move(begun.error()));
  AbsorbedTask task(loop_, declaring, *server, id->name, options_);
  std::exception_ptr failure;
  try {
    reply = co_await task.follow(std::move(*begun));
  } catch (...) {
    failure = std::current_exception();
  }
  if (!task.has_ended()) {
    const auto shield = co_await this_task::shield;
    co_await task.cancel();
  }
  if (failure) std::rethrow_exception(failure);
  co_return reply;
}

}  // namespace fairlead::gateway
