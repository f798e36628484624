#pragma once

#include <cstddef>
#include <fairlead/base/timer_wheel.hpp>
#include <memory>
#include <vector>

namespace boost::asio {
class any_io_executor;
class io_context;
}  // namespace boost::asio

namespace fairlead {

class LogSink;

/// The event loop and timers of one thread. Except for executor(), use it only on that thread.
class Worker : NonCopyable {
 public:
  Worker(std::size_t index, LogSink& log);
  ~Worker();

  std::size_t index() const;
  /// The concrete loop, for hot paths that avoid the type-erased executor.
  boost::asio::io_context& context();
  boost::asio::any_io_executor executor();
  TimerWheel& timers();
  /// True on this worker's thread.
  bool is_current() const;

 private:
  friend class Workers;
  void run() noexcept;
  void stop() noexcept;

  struct WorkerState;
  std::unique_ptr<WorkerState> state_;
};

/// The worker threads. Each runs its own event loop and shares no state with the others.
class Workers : NonCopyable {
 public:
  /// `count` 0 means one per core. `log` must outlive the workers.
  Workers(std::size_t count, LogSink& log);
  /// Calls stop(); must not run on a worker's thread.
  ~Workers();

  std::size_t size() const { return workers_.size(); }
  Worker& operator[](std::size_t index) { return *workers_[index]; }

  /// Starts a thread per worker and returns. Does nothing when called again or after stop().
  void start();
  /// Like start(), but worker 0 runs on the calling thread. Returns after stop(), when all threads have ended.
  void run();

  /// Stops all loops and drops their pending work. Thread-safe, idempotent. Returns when all threads have ended; on a
  /// worker's thread, which cannot join itself, returns immediately.
  void stop() noexcept;

 private:
  struct Threads;

  void launch(std::size_t first);
  bool on_a_worker() const;

  std::vector<std::unique_ptr<Worker>> workers_;
  std::unique_ptr<Threads> threads_;
};

}  // namespace fairlead
