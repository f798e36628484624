#include <fairlead/server/file_task_store.hpp>

#include <fairlead/json/writer.hpp>
#include <limits>
#include <utility>

#include "server/tasks/memory_task_store.hpp"
#include "server/tasks/task_files.hpp"
#include "server/tasks/writer_thread.hpp"

namespace fairlead::server {
namespace {

constexpr TaskLimits no_limits{.per_caller = std::numeric_limits<std::size_t>::max(),
                               .total = std::numeric_limits<std::size_t>::max()};

// The end of the task could not be written: say so, instead of letting it work for ever.
void fail_unwritten(TaskRecord& record, const std::string& why) {
  std::string error;
  {
    json::ObjectWriter object(error);
    object.raw("code", "-32603");
    object.text("message", "the task has ended, and its result could not be stored: " + why);
  }
  record.status = protocol::TaskStatus::failed;
  record.result.reset();
  record.error = json::Payload::trusted(std::move(error));
}

/// Reads are served from memory; changes are written by one thread, in their order.
class FileTaskStore final : public TaskStore {
 public:
  FileTaskStore(std::filesystem::path folder, std::vector<protocol::SealKey> keys)
      : files_(std::move(folder), std::move(keys)) {
    for (auto& record : files_.load()) (void)table_.add(std::move(record), no_limits);
  }

  Task<Result<void>> create(TaskRecord record, TaskLimits limits) override {
    return writer_.run<void>([this, record = std::move(record), limits]() -> Result<void> {
      if (auto room = table_.check_room(record, limits); !room) return room;
      if (auto written = files_.write(record); !written) return written;
      return table_.add(record, no_limits);
    });
  }

  Task<Result<std::optional<TaskRecord>>> get(std::string id) override {
    return Result<std::optional<TaskRecord>>(table_.find(id));
  }

  Task<Result<std::vector<TaskRecord>>> list(std::string principal) override {
    return Result<std::vector<TaskRecord>>(table_.of(principal));
  }

  Task<Result<bool>> replace(TaskRecord next) override {
    return writer_.run<bool>([this, next = std::move(next)] { return write_and_replace(next); });
  }

  Task<void> sweep(TaskTime now) override {
    for (const auto& id : table_.remove_expired(now)) {
      files_.remove(id);
      watchers_.notify(id);
    }
    return {};
  }

  Task<Result<std::vector<std::string>>> claim() override {
    return Result<std::vector<std::string>>(table_.unfinished());
  }

  // The next process goes on.
  void release(const std::string&) noexcept override {}

  TaskSubscription watch(const std::string& id, std::function<void()> on_change) override {
    return watchers_.add(id, std::move(on_change));
  }

 private:
  Result<bool> write_and_replace(TaskRecord next) {
    if (!table_.has_version(next.id, next.version)) return false;
    auto stored = next;
    ++stored.version;
    if (const auto written = files_.write(stored); !written) {
      if (!next.has_ended()) return std::unexpected(written.error());
      fail_unwritten(next, written.error().message);
      files_.remove(next.id);
    }
    const auto id = next.id;
    const bool replaced = table_.replace(std::move(next));
    if (replaced) watchers_.notify(id);
    return replaced;
  }

  TaskFiles files_;
  TaskTable table_;
  TaskWatchers watchers_;
  WriterThread writer_;  // The last member: its thread uses the others.
};

}  // namespace

std::shared_ptr<TaskStore> file_task_store(std::filesystem::path folder, std::vector<protocol::SealKey> keys) {
  return std::make_shared<FileTaskStore>(std::move(folder), std::move(keys));
}

}  // namespace fairlead::server
