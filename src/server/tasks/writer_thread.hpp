#pragma once

#include <condition_variable>
#include <deque>
#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace fairlead::server {

/// Runs functions that block on one thread, in their order. Unlike a BlockingPool, it may outlive the event loops whose
/// coroutines wait for it.
class WriterThread {
 public:
  WriterThread() = default;
  WriterThread(const WriterThread&) = delete;
  WriterThread& operator=(const WriterThread&) = delete;
  /// Runs what is queued, then joins the thread.
  ~WriterThread();

  /// Waits for the result even if the caller is stopped.
  template <class T>
  Task<Result<T>> run(std::function<Result<T>()> job) {
    const auto result = std::make_shared<std::optional<Result<T>>>();
    // Named: GCC 12 destroys a temporary with a lambda in an awaited expression twice.
    std::function<void()> work = [result, job = std::move(job)] { result->emplace(job()); };
    co_await run_and_wait(std::move(work));
    co_return std::move(**result);
  }

 private:
  Task<void> run_and_wait(std::function<void()> job);
  void push(std::function<void()> job);
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> queue_;
  bool stopping_ = false;
  std::thread thread_;  // Started with the first job.
};

}  // namespace fairlead::server
