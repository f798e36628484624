#include "server/tasks/memory_task_store.hpp"

#include <utility>

namespace fairlead::server {

void TaskTable::State::count(const TaskRecord& record, int change) {
  if (record.has_ended()) return;
  auto& tasks_of_caller = unfinished[record.principal];
  tasks_of_caller += static_cast<std::size_t>(change);
  if (tasks_of_caller == 0) unfinished.erase(record.principal);
}

Result<void> TaskTable::State::check_room(const TaskRecord& record, const TaskLimits& limits) const {
  const auto own = unfinished.find(record.principal);
  if (own != unfinished.end() && own->second >= limits.per_caller) {
    return fail(ErrorKind::refused, "the caller has " + std::to_string(own->second) +
                                        " unfinished tasks, which is the limit; wait until one ends or cancel one");
  }
  if (tasks.size() >= limits.total) {
    return fail(ErrorKind::refused,
                "the server stores " + std::to_string(tasks.size()) + " tasks, which is the limit; try again later");
  }
  return {};
}

Result<void> TaskTable::check_room(const TaskRecord& record, const TaskLimits& limits) const {
  return state_.with([&](const State& state) { return state.check_room(record, limits); });
}

Result<void> TaskTable::add(TaskRecord record, const TaskLimits& limits) {
  return state_.with([&](State& state) -> Result<void> {
    if (auto room = state.check_room(record, limits); !room) return room;
    state.count(record, 1);
    auto id = record.id;
    state.tasks.insert_or_assign(std::move(id), std::move(record));
    return {};
  });
}

std::optional<TaskRecord> TaskTable::find(const std::string& id) const {
  return state_.with([&](const State& state) {
    const auto found = state.tasks.find(id);
    return found == state.tasks.end() ? std::nullopt : std::optional(found->second);
  });
}

std::vector<TaskRecord> TaskTable::of(const std::string& principal) const {
  std::vector<TaskRecord> found;
  state_.with([&](const State& state) {
    for (const auto& [id, record] : state.tasks) {
      if (record.principal == principal) found.push_back(record);
    }
  });
  return found;
}

bool TaskTable::has_version(const std::string& id, std::uint64_t version) const {
  return state_.with([&](const State& state) {
    const auto found = state.tasks.find(id);
    return found != state.tasks.end() && found->second.version == version;
  });
}

bool TaskTable::replace(TaskRecord next) {
  return state_.with([&](State& state) {
    const auto found = state.tasks.find(next.id);
    if (found == state.tasks.end() || found->second.version != next.version) return false;
    ++next.version;
    state.count(found->second, -1);
    state.count(next, 1);
    found->second = std::move(next);
    return true;
  });
}

std::vector<std::string> TaskTable::remove_expired(TaskTime now) {
  std::vector<std::string> removed;
  state_.with([&](State& state) {
    std::erase_if(state.tasks, [&](const auto& each) {
      if (!each.second.is_expired(now)) return false;
      state.count(each.second, -1);
      removed.push_back(each.first);
      return true;
    });
  });
  return removed;
}

std::vector<std::string> TaskTable::unfinished() const {
  std::vector<std::string> ids;
  state_.with([&](const State& state) {
    for (const auto& [id, record] : state.tasks) {
      if (!record.has_ended()) ids.push_back(id);
    }
  });
  return ids;
}

namespace {

class MemoryTaskStore final : public TaskStore {
 public:
  Task<Result<void>> create(TaskRecord record, TaskLimits limits) override {
    return table_.add(std::move(record), limits);
  }

  Task<Result<std::optional<TaskRecord>>> get(std::string id) override {
    return Result<std::optional<TaskRecord>>(table_.find(id));
  }

  Task<Result<std::vector<TaskRecord>>> list(std::string principal) override {
    return Result<std::vector<TaskRecord>>(table_.of(principal));
  }

  Task<Result<bool>> replace(TaskRecord next) override {
    const auto id = next.id;
    const bool replaced = table_.replace(std::move(next));
    if (replaced) watchers_.notify(id);
    return Result<bool>(replaced);
  }

  Task<void> sweep(TaskTime now) override {
    for (const auto& id : table_.remove_expired(now)) watchers_.notify(id);
    return {};
  }

  Task<Result<std::vector<std::string>>> claim() override { return Result<std::vector<std::string>>(); }

  void release(const std::string& id) noexcept override {
    auto record = table_.find(id);
    if (!record || record->has_ended()) return;
    record->status = protocol::TaskStatus::failed;
    record->questions.clear();
    record->error = json::Payload::trusted(R"({"code":-32603,"message":"the server stopped before the task ended"})");
    if (table_.replace(std::move(*record))) watchers_.notify(id);
  }

  TaskSubscription watch(const std::string& id, std::function<void()> on_change) override {
    return watchers_.add(id, std::move(on_change));
  }

 private:
  TaskTable table_;
  TaskWatchers watchers_;
};

}  // namespace

std::shared_ptr<TaskStore> memory_task_store() {
  return std::make_shared<MemoryTaskStore>();
}

}  // namespace fairlead::server
