#pragma once

#include <chrono>
#include <fairlead/auth/credential_store.hpp>
#include <functional>

namespace fairlead::auth {

/// The name of a login in stores: 32 hex digits. Equal for all spellings of a URL.
std::string name_of(const StoreKey& key);

/// Returns the lock, null while another has it, or an error.
using TryLock = std::function<Result<std::unique_ptr<StoreLock>>()>;

/// Calls `attempt` until it returns a lock. Polls, because a wait for flock would block the event loop.
Task<Result<std::unique_ptr<StoreLock>>> poll_lock(EventLoop loop, Duration max_wait, TryLock attempt);

/// A folder that only its owner can use, with locks.
class LockFolder {
 public:
  explicit LockFolder(std::string folder) : folder_(std::move(folder)) {}

  const std::string& path() const { return folder_; }
  /// Creates the folder, or checks who can use it.
  Result<void> check() const;
  Task<Result<std::unique_ptr<StoreLock>>> lock(EventLoop loop, const StoreKey& key, Duration max_wait) const;
  std::string lock_path(const StoreKey& key) const { return folder_ + "/" + name_of(key) + ".lock"; }

 private:
  std::string folder_;
};

/// Changes with every change of a file; 0 if there is none.
std::uint64_t file_version(const std::string& path);

std::unexpected<Error> file_error(std::string_view what, const std::string& path);

/// Reads a login as JSON. The error names `place` and contains nothing of the text.
Result<Stored> read_login(std::string text, const std::string& place);

}  // namespace fairlead::auth
