#include "server/tasks/writer_thread.hpp"

#include "base/async_event.hpp"
#include "server/tasks/loop_callback.hpp"

namespace fairlead::server {

WriterThread::~WriterThread() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void WriterThread::push(std::function<void()> job) {
  const std::lock_guard lock(mutex_);
  queue_.push_back(std::move(job));
  if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
  changed_.notify_all();
}

void WriterThread::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    if (queue_.empty()) return;
    const auto job = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    job();
    lock.lock();
  }
}

// The event loop owns the coroutine while it waits, by the timer of the event.
Task<void> WriterThread::run_and_wait(std::function<void()> job) {
  const auto shield = co_await this_task::shield;
  const auto executor = co_await this_task::executor;
  AsyncEvent changed(executor);
  bool done = false;
  const LoopCallback on_done(executor, [&] {
    done = true;
    changed.notify();
  });
  push([job = std::move(job), trigger = on_done.trigger()] {
    job();
    trigger();
  });
  while (!done) co_await changed.wait();
}

}  // namespace fairlead::server
