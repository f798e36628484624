#include "server/tasks/stored_tasks.hpp"

#include <algorithm>
#include <fairlead/base/base64.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/session/service.hpp>
#include <fmt/chrono.h>
#include <utility>

#include "crypto/random.hpp"

namespace fairlead::server {
namespace {

using std::chrono::milliseconds;

std::int64_t milliseconds_of(TaskTime time) {
  return std::chrono::floor<milliseconds>(time.time_since_epoch()).count();
}

std::string timestamp(std::int64_t time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(static_cast<std::time_t>(time / 1000)), time % 1000);
}

}  // namespace

bool TaskRecord::is_expired(TaskTime now) const {
  return status != protocol::TaskStatus::working && milliseconds_of(now) >= created + ttl;
}

bool TaskRecord::add_answers(const protocol::InputResponses& responses) {
  bool changed = false;
  for (const auto& [key, response] : responses) {
    if (questions.erase(key) == 0) continue;
    answers.insert_or_assign(key, response);
    changed = true;
  }
  if (changed && questions.empty()) status = protocol::TaskStatus::working;
  return changed;
}

void TaskRecord::touch(TaskTime now) {
  updated = std::max(updated, milliseconds_of(now));
  ttl = std::max(ttl, updated - created + keep);
}

Task<Result<void>> StoredTasks::create(TaskRecord record) {
  const auto now = options.now();
  const auto time = milliseconds_of(now);
  // Not with each task: a sweep visits all tasks.
  if (time >= next_sweep_) {
    next_sweep_ = time + 1000;
    co_await store->sweep(now);
  }
  record.created = time;
  record.updated = time;
  co_return co_await store->create(std::move(record), options.limits);
}

Task<Result<void>> StoredTasks::update(std::string id, std::function<bool(TaskRecord&)> edit) {
  while (true) {
    auto found = co_await store->get(id);
    if (!found) co_return std::unexpected(std::move(found.error()));
    if (!*found) co_return fail(ErrorKind::closed, "the task has expired");
    auto record = std::move(**found);
    if (record.has_ended() || !edit(record)) co_return Result<void>();
    record.touch(options.now());
    auto replaced = co_await store->replace(std::move(record));
    if (!replaced) co_return std::unexpected(std::move(replaced.error()));
    if (*replaced) co_return Result<void>();
  }
}

void StoredTasks::count(int change) {
  const std::lock_guard lock(running_mutex_);
  running_ += change;
  if (running_ == 0) idle_.notify_all();
}

void StoredTasks::wait_until_idle(Duration limit) {
  // A longer wait would overflow the clock.
  constexpr Duration longest = std::chrono::hours{24 * 365};
  std::unique_lock lock(running_mutex_);
  idle_.wait_for(lock, std::min(limit, longest), [this] { return running_ == 0; });
}

std::string make_task_id() {
  return base64_encode(crypto::random_bytes(16), Base64::url);
}

protocol::ExtensionTask shown_task(const TaskRecord& record, TaskTime now) {
  protocol::ExtensionTask task;
  task.taskId = record.id;
  task.status = record.status;
  if (!record.message.empty()) task.statusMessage = record.message;
  task.createdAt = timestamp(record.created);
  task.lastUpdatedAt = timestamp(record.updated);
  const bool works = record.status == protocol::TaskStatus::working;
  const auto age = milliseconds_of(now) - record.created;
  task.ttlMs = works ? std::max(record.ttl, age + record.keep) : record.ttl;
  task.pollIntervalMs = record.poll;
  if (record.status == protocol::TaskStatus::input_required) task.inputRequests = record.questions;
  task.result = record.result;
  task.error = record.error;
  return task;
}

bool is_legacy(const TaskRecord& record) {
  const auto* revision = protocol::find_revision(record.revision);
  return revision != nullptr && revision->lifecycle == protocol::Lifecycle::handshake;
}

protocol::LegacyTask legacy_task(const TaskRecord& record, TaskTime now) {
  auto shown = shown_task(record, now);
  protocol::LegacyTask task;
  task.taskId = std::move(shown.taskId);
  task.status = shown.status;
  // In the handshake era, a failed tool is a failed task.
  if (record.result && json::member_of(record.result->text(), "isError") == "true") {
    task.status = protocol::TaskStatus::failed;
  }
  task.statusMessage = std::move(shown.statusMessage);
  task.createdAt = std::move(shown.createdAt);
  task.lastUpdatedAt = std::move(shown.lastUpdatedAt);
  task.ttl = shown.ttlMs;
  task.pollInterval = shown.pollIntervalMs;
  return task;
}

session::Reply task_handle(const TaskRecord& record, TaskTime now) {
  if (is_legacy(record))
    return {.body = json::to_payload(protocol::CreateTaskResult{.task = legacy_task(record, now)})};
  auto task = shown_task(record, now);
  task.inputRequests.reset();
  task.result.reset();
  task.error.reset();
  return {.body = json::to_payload(task), .kind = protocol::ResultKind::other, .other_kind = "task"};
}

std::string shortened(std::string text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U) --bytes;
  text.resize(bytes);
  return text;
}

}  // namespace fairlead::server
