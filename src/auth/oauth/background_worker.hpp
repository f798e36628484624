#pragma once

#include <boost/asio/post.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/base/workers.hpp>
#include <future>
#include <utility>

namespace fairlead::auth {

/// A thread with an event loop, for requests to issuers whose results all workers share. Destroying it cancels its
/// tasks and waits for their end.
class BackgroundWorker {
 public:
  explicit BackgroundWorker(LogSink& log) : log_(log), workers_(1, log), scope_(worker().executor(), log, "oauth") {
    workers_.start();
  }
  BackgroundWorker(const BackgroundWorker&) = delete;
  BackgroundWorker& operator=(const BackgroundWorker&) = delete;
  ~BackgroundWorker() { stop(); }

  Worker& worker() { return workers_[0]; }
  LogSink& log() const { return log_; }
  EventLoop loop() { return {worker().executor(), worker().timers(), log_}; }
  /// Thread-safe.
  void spawn(Task<void> task) {
    boost::asio::post(worker().executor(), [this, task = std::move(task)]() mutable { scope_.spawn(std::move(task)); });
  }
  /// Ends all tasks. Must not run on the worker itself. Idempotent.
  void stop() {
    if (std::exchange(stopped_, true)) return;
    std::promise<void> ended;
    async_start(worker().executor(), end_tasks(), [&](const std::exception_ptr&) { ended.set_value(); });
    ended.get_future().wait();
    workers_.stop();
  }

 private:
  Task<void> end_tasks() {
    scope_.cancel();
    co_await scope_.join();
  }

  LogSink& log_;
  Workers workers_;
  TaskScope scope_;
  bool stopped_ = false;
};

}  // namespace fairlead::auth
