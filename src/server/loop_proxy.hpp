#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <fairlead/base/task.hpp>
#include <fairlead/base/task_scope.hpp>

namespace fairlead::server {

/// Runs tasks on an event loop for a thread of the blocking pool.
class LoopProxy : NonCopyable {
 public:
  /// Sets `slot` to this object until it is destroyed.
  LoopProxy(boost::asio::any_io_executor loop, TaskScope& tasks, LoopProxy*& slot);
  ~LoopProxy() { slot_ = nullptr; }

  /// Runs `task` on the event loop and blocks the calling thread until it has ended. Rethrows its exception; throws
  /// Failed with `cancelled` if the task could not start. Not for the thread of the event loop.
  void wait(Task<void> task);

  /// Cancels running and later tasks. Call on the event loop.
  void cancel() { tasks_.cancel(); }

 private:
  boost::asio::any_io_executor loop_;
  TaskScope& tasks_;
  LoopProxy*& slot_;
};

/// Awaits `body`. Until it ends, other threads may use the proxy in `slot`.
Task<void> with_loop_proxy(LoopProxy*& slot, Task<void> body);

}  // namespace fairlead::server
