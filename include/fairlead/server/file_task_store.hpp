#pragma once

#include <fairlead/protocol/state_seal.hpp>
#include <fairlead/server/task_store.hpp>
#include <filesystem>
#include <memory>
#include <vector>

namespace fairlead::server {

/// Keeps each task in a file of its own, so that it survives the process: unfinished tasks go on when the server is
/// started again and the first client connects.
///
/// The files are encrypted. The first of `keys` encrypts, all decrypt; without keys, a random key is kept in the
/// folder, readable for the owner only. A file that cannot be decrypted is left alone. One process at a time can use a
/// folder. Each change of a task writes and syncs its file, on a thread of the store. If the end of a task cannot be
/// written, for example because the disk is full, the task fails and its file is removed.
///
/// Throws std::runtime_error if the folder cannot be used.
std::shared_ptr<TaskStore> file_task_store(std::filesystem::path folder, std::vector<protocol::SealKey> keys = {});

}  // namespace fairlead::server
