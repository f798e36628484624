#pragma once

#include <fairlead/base/synchronized.hpp>
#include <map>
#include <string>
#include <vector>

#include "server/tasks/task_watchers.hpp"

namespace fairlead::server {

/// Tasks by id, with the number of unfinished ones of each principal. Thread-safe; the functions do not wait.
class TaskTable {
 public:
  /// `refused` if a limit is reached.
  Result<void> check_room(const TaskRecord& record, const TaskLimits& limits) const;
  Result<void> add(TaskRecord record, const TaskLimits& limits);
  std::optional<TaskRecord> find(const std::string& id) const;
  std::vector<TaskRecord> of(const std::string& principal) const;
  /// True if the task has this version.
  bool has_version(const std::string& id, std::uint64_t version) const;
  bool replace(TaskRecord next);
  /// Removes the expired tasks and returns their ids.
  std::vector<std::string> remove_expired(TaskTime now);
  std::vector<std::string> unfinished() const;

 private:
  struct State {
    std::map<std::string, TaskRecord> tasks = {};
    std::map<std::string, std::size_t> unfinished = {};  // By principal, without zeros.

    void count(const TaskRecord& record, int change);
    Result<void> check_room(const TaskRecord& record, const TaskLimits& limits) const;
  };
  Synchronized<State> state_;
};

}  // namespace fairlead::server
