#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstddef>
#include <fairlead/base/timer_wheel.hpp>
#include <memory>
#include <vector>

namespace boost::asio {
class io_context;
}

namespace fairlead {

class LogSink;

/// One thread's loop and what belongs to it. Except for `executor`, only its own thread touches it.
class Worker {
 public:
  Worker(std::size_t index, LogSink& log);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker();

  std::size_t index() const;
  /// The concrete loop, for those who want its executor's type on a hot path.
  boost::asio::io_context& context();
  boost::asio::any_io_executor executor();
  TimerWheel& timers();
  /// Whether the calling thread is this worker's.
  bool is_current() const;

 private:
  friend class Workers;
  void run() noexcept;
  void stop() noexcept;

  struct State;
  std::unique_ptr<State> state_;
};

/// The threads that do all the work: each runs a loop of its own and shares nothing with the others.
class Workers {
 public:
  /// `count` 0 means one per core. `log` outlives the workers.
  Workers(std::size_t count, LogSink& log);
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  /// Stops; must not run on a worker's thread.
  ~Workers();

  std::size_t size() const { return workers_.size(); }
  Worker& operator[](std::size_t index) { return *workers_[index]; }

  /// Runs every worker on a thread of its own and returns at once. Starting twice, or after `stop`, does nothing.
  void start();
  /// Like `start`, but worker 0 runs on the calling thread; returns when stopped and all threads have ended.
  void run();

  /// Ends all loops; what they had not done is dropped with them. Any thread may call it, any number of times. It
  /// returns when all threads have ended; on a worker's thread, which cannot wait for itself, it returns at once.
  void stop() noexcept;

 private:
  struct Threads;

  void launch(std::size_t first);
  bool on_a_worker() const;

  std::vector<std::unique_ptr<Worker>> workers_;
  std::unique_ptr<Threads> threads_;
};

}  // namespace fairlead
