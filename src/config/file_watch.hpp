#pragma once

#include <fairlead/base/clock.hpp>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/non_copyable.hpp>
#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <vector>

namespace fairlead::config {

/// Waits for changes of files: written, replaced, removed or created. Watches the folders of the files and of their
/// link targets, because editors replace files. A folder that is removed and created again is watched again.
class FileWatch : NonCopyable {
 public:
  /// `quiet` is the debounce time: changes are reported when nothing more happened for so long.
  static Result<std::unique_ptr<FileWatch>> open(EventLoop loop, std::vector<std::string> files,
                                                 Duration quiet = std::chrono::milliseconds{100});
  ~FileWatch();

  /// Returns after the next change, including one since the last call; may return spuriously. Fails with `closed` after
  /// `close`.
  Task<Result<void>> next();
  void close() noexcept;

 private:
  struct FileWatchState;
  explicit FileWatch(std::unique_ptr<FileWatchState> state);

  std::unique_ptr<FileWatchState> state_;
};

}  // namespace fairlead::config
