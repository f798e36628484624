#pragma once

#include <fairlead/base/task.hpp>
#include <fairlead/base/task_scope.hpp>
#include <utility>

namespace fairlead::server {

/// The way from a thread of the pool to the loop that its caller waits on.
class Bridge {
 public:
  /// Stands in `place` as long as it lives.
  Bridge(boost::asio::any_io_executor loop, TaskScope& tasks, Bridge*& place);
  Bridge(const Bridge&) = delete;
  Bridge& operator=(const Bridge&) = delete;
  ~Bridge() { place_ = nullptr; }

  /// Runs `task` on the loop and blocks the calling thread, which is another, until it has ended. Throws what it
  /// throws, and Failed with `cancelled` if it was not to begin.
  void wait(Task<void> task);

  /// Ends what runs, and whatever is waited for from now on. On the loop.
  void cancel() { tasks_.cancel(); }

 private:
  boost::asio::any_io_executor loop_;
  TaskScope& tasks_;
  Bridge*& place_;
};

/// Awaits `body`. Another thread may use the bridge at `place` until it ends.
Task<void> with_bridge(Bridge*& place, Task<void> body);

}  // namespace fairlead::server
