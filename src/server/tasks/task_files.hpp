#pragma once

#include <fairlead/base/descriptor.hpp>
#include <fairlead/protocol/state_seal.hpp>
#include <fairlead/server/task_store.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace fairlead::server {

/// A folder with one encrypted file for each task. Holds a lock on the folder. Functions block.
class TaskFiles {
 public:
  /// Throws std::runtime_error if the folder cannot be used.
  TaskFiles(std::filesystem::path folder, std::vector<protocol::SealKey> keys);

  /// All tasks whose files can be decrypted.
  std::vector<TaskRecord> load() const;
  /// Replaces the file of a task. The new contents are on the disk when this returns.
  Result<void> write(const TaskRecord& record) const;
  void remove(const std::string& id) const noexcept;

 private:
  std::string seal(const TaskRecord& record) const;
  std::optional<TaskRecord> open(const std::string& id, std::string_view sealed) const;
  std::filesystem::path path_of(const std::string& id) const;

  std::filesystem::path folder_;
  std::vector<protocol::SealKey> keys_;
  Descriptor lock_;
  Descriptor directory_;  // To sync the names of files.
};

}  // namespace fairlead::server
