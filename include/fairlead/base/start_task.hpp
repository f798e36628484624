#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <fairlead/base/non_copyable.hpp>
#include <fairlead/base/task.hpp>
#include <utility>

namespace fairlead {

/// Stops a task that start() was called for. May be destroyed before or after the task. Used on the task's executor.
class StopSource : NonCopyable {
 public:
  ~StopSource();

  /// Also before start(): the task then fails at its first wait.
  void request_stop();

  /// Base of tasks that can be stopped by a source.
  class Target : public RootTask {
   public:
    Target(const boost::asio::any_io_executor& executor, StopSource* source);

   protected:
    ~Target();

   private:
    friend class StopSource;
    StopSource* source_;
  };

 private:
  Target* target_ = nullptr;
  bool requested_ = false;
};

namespace detail {

template <class T, class Completion>
class StartedTask final : public StopSource::Target {
 public:
  static void* operator new(std::size_t size) { return allocate_frame(size); }
  static void operator delete(void* task, std::size_t size) noexcept { free_frame(task, size); }

  StartedTask(boost::asio::any_io_executor executor, Task<T> task, Completion done, StopSource* source)
      : Target(executor_, source), executor_(std::move(executor)), task_(std::move(task)), done_(std::move(done)) {}

  void begin() { run(task_.begin(*this, nullptr)); }
  void abandon() noexcept override { delete this; }

 private:
  void complete() override {
    auto outcome = task_.take_outcome();
    auto done = std::move(done_);
    // Before the completion, which may destroy anything.
    delete this;
    std::move(done)(std::move(outcome));
  }

  boost::asio::any_io_executor executor_;
  Task<T> task_;
  Completion done_;
};

}  // namespace detail

/// Starts a task from code that is not a coroutine. Runs it up to its first wait, and calls `done(TaskOutcome<T>)` at
/// its end, before start() returns if nothing waited. `done` may destroy any object. Call it on `executor`, which must
/// run one function at a time. If the executor is destroyed while the task waits, the task and `done` are destroyed
/// too.
template <class T, class Completion>
void start(boost::asio::any_io_executor executor, Task<T> task, Completion done, StopSource* stop = nullptr) {
  if (task.is_ready()) return std::move(done)(task.take_outcome());
  auto* started = new detail::StartedTask<T, Completion>(std::move(executor), std::move(task), std::move(done), stop);
  started->begin();
}

}  // namespace fairlead
