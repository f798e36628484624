#pragma once

#include <chrono>
#include <fairlead/base/clock.hpp>
#include <fairlead/base/loop.hpp>
#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <memory>
#include <string>
#include <vector>

namespace fairlead::gateway {

/// Tells when one of some files is written, replaced, removed or there again.
///
/// Watches their folders, because editors put a new file in the place of the old one, and the folders of what they link
/// to. A folder that is gone is watched again once it is back.
class FileWatch {
 public:
  /// `quiet`: one change is told when nothing more has happened for so long.
  static Result<std::unique_ptr<FileWatch>> open(Loop loop, std::vector<std::string> files,
                                                 Duration quiet = std::chrono::milliseconds{100});
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;
  ~FileWatch();

  /// Returns after the next change, also one since the last call. It may be told for nothing. `closed` after `close`.
  Task<Result<void>> next();
  void close() noexcept;

 private:
  struct State;
  explicit FileWatch(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace fairlead::gateway
