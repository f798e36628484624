#include "gateway/upstream/offered_tasks.hpp"

#include <exception>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/model/methods.hpp>

#include "gateway/model/json_rewrite.hpp"
#include "gateway/model/task_extension.hpp"
#include "gateway/upstream/offered_call.hpp"

namespace fairlead::gateway {
namespace {

void add_tasks(client::ServerDescription& server) {
  auto& extensions = server.capabilities.extensions;
  if (!extensions) extensions.emplace();
  extensions->try_emplace(std::string(protocol::extension::tasks), json::Payload::trusted("{}"));
}

Result<Reply> acknowledgement() {
  return Reply{.body = json::Payload::trusted("{}")};
}

}  // namespace

bool BackendWithOfferedTasks::has_own_tasks() const {
  const auto* server = target()->last_description();
  return server != nullptr && protocol::declares_extension(server->capabilities.extensions, protocol::extension::tasks);
}

bool BackendWithOfferedTasks::offers_extension(std::string_view id) const {
  return id == protocol::extension::tasks || target()->offers_extension(id);
}

Task<Result<client::ServerDescription>> BackendWithOfferedTasks::describe() {
  auto server = co_await target()->describe();
  if (server) add_tasks(*server);
  co_return server;
}

Task<Result<client::ServerDescription>> BackendWithOfferedTasks::describe_for(const Call& call) {
  auto server = co_await target()->describe_for(call);
  if (server) add_tasks(*server);
  co_return server;
}

Task<Result<Reply>> BackendWithOfferedTasks::call(Call& call) {
  if (!accepts_tasks(call.context)) return target()->call(call);
  if (is_task_request(call.method)) return call_task(call);
  const bool may_offer = call.method == protocol::CallTool::method && !has_own_tasks();
  return may_offer ? offer(call) : target()->call(call);
}

Task<Result<Reply>> BackendWithOfferedTasks::offer(Call& call) {
  const auto offered = std::make_shared<OfferedCall>(loop_, call, tasks_);
  offered->handle = scope_.spawn(OfferedCall::run(offered, target()));
  std::exception_ptr failure;
  try {
    auto outcome = co_await offered->wait(loop_.timers, Deadline::in(after_, loop_.timers.clock()));
    if (outcome) co_return std::move(*outcome);
    auto task = co_await offered->become_task();
    if (task) co_return task;
    // Too many tasks: the client waits.
    outcome = co_await offered->wait(loop_.timers, Deadline::never());
    co_return std::move(*outcome);
  } catch (...) {
    failure = std::current_exception();
  }
  offered->handle.cancel();
  const auto shield = co_await this_task::shield;
  co_await offered->wait(loop_.timers, Deadline::never());
  std::rethrow_exception(failure);
}

Task<Result<Reply>> BackendWithOfferedTasks::call_task(Call& call) {
  const auto id = string_member(call.params, "taskId");
  auto wanted = id ? id->name : std::string();
  auto record = co_await tasks_->stored.store->get(std::move(wanted));
  const auto now = tasks_->stored.options.now();
  const bool is_own = record && *record && !(*record)->is_expired(now);
  if (!is_own) {
    if (has_own_tasks()) co_return co_await target()->call(call);
    co_return unknown_task();
  }
  if (call.method == protocol::GetTask::method) {
    co_return Reply{.body = json::to_payload(server::shown_task(**record, now))};
  }
  const auto found = tasks_->running.find(id->name);
  const auto running = found == tasks_->running.end() ? nullptr : found->second.lock();
  if (call.method == protocol::CancelTask::method) {
    if (running) running->handle.cancel();
    co_return acknowledgement();
  }
  auto update = json::decode<protocol::UpdateTaskParams>(call.params);
  if (!update) co_return refuse(protocol::ProtocolError::invalid_params, update.error().message);
  if (running) co_await running->answer(std::move(update->inputResponses));
  co_return acknowledgement();
}

}  // namespace fairlead::gateway
