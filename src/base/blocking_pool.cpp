#include <fairlead/base/blocking_pool.hpp>

#include <algorithm>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <condition_variable>
#include <deque>
#include <fairlead/base/asio_task.hpp>
#include <functional>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace fairlead {
namespace asio = boost::asio;

using JobCallback = std::move_only_function<void(Result<void>)>;

/// A job in the queue and the callback that resumes its caller.
struct BlockingPool::QueuedJob {
  std::shared_ptr<detail::BlockingJob> job;
  JobCallback on_done;
};

struct BlockingPool::PoolState {
  PoolState(std::size_t at_once, std::size_t in_queue)
      : max_threads(std::max<std::size_t>(1, at_once)), max_waiting(in_queue) {}

  void enqueue(std::shared_ptr<QueuedJob> queued);
  void withdraw(const std::shared_ptr<QueuedJob>& queued);
  void stop();
  void work();

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::shared_ptr<QueuedJob>> queue;
  std::vector<std::thread> threads;
  std::size_t max_threads, max_waiting;
  std::size_t busy = 0;
  bool stopped = false;

 private:
  Result<void> admit(const std::shared_ptr<QueuedJob>& queued);
};

void BlockingPool::PoolState::enqueue(std::shared_ptr<QueuedJob> queued) {
  auto admitted = admit(queued);
  if (!admitted) queued->on_done(std::move(admitted));
}

Result<void> BlockingPool::PoolState::admit(const std::shared_ptr<QueuedJob>& queued) {
  const std::lock_guard lock(mutex);
  if (stopped) return fail(ErrorKind::closed, "the pool for blocking functions has been stopped");
  const auto ahead = busy + queue.size();
  if (ahead >= max_threads + max_waiting) {
    return fail(ErrorKind::refused, "all " + std::to_string(max_threads) +
                                        " threads for blocking functions are busy and " + std::to_string(queue.size()) +
                                        " calls are waiting: try again later");
  }
  queue.push_back(queued);
  if (threads.size() < max_threads && threads.size() <= ahead) {
    try {
      threads.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
      if (!threads.empty()) return {};
      queue.pop_back();
      return fail(ErrorKind::refused,
                  "the system refused to start a thread for blocking functions: raise its thread limit");
    }
  }
  changed.notify_one();
  return {};
}

void BlockingPool::PoolState::withdraw(const std::shared_ptr<QueuedJob>& queued) {
  {
    const std::lock_guard lock(mutex);
    if (std::erase(queue, queued) == 0) return;
  }
  queued->on_done(fail(ErrorKind::cancelled, "cancelled before a thread was free"));
}

void BlockingPool::PoolState::work() {
  std::unique_lock lock(mutex);
  while (true) {
    changed.wait(lock, [this] { return stopped || !queue.empty(); });
    if (stopped) return;
    ++busy;
    const auto queued = std::move(queue.front());
    queue.pop_front();
    lock.unlock();
    try {
      queued->job->run();
    } catch (...) {
      queued->job->failure = std::current_exception();
    }
    lock.lock();
    // Before on_done: the caller may submit another job at once and must find a free thread.
    --busy;
    lock.unlock();
    queued->on_done({});
    lock.lock();
  }
}

void BlockingPool::PoolState::stop() {
  std::unique_lock lock(mutex);
  stopped = true;
  changed.notify_all();
  const auto refused = std::exchange(queue, {});
  const auto is_ours = [](const std::thread& thread) { return thread.get_id() == std::this_thread::get_id(); };
  // A function that stops its own pool cannot join its own thread; the destructor joins it.
  if (std::ranges::any_of(threads, is_ours)) {
    lock.unlock();
  } else {
    auto ending = std::exchange(threads, {});
    lock.unlock();
    for (auto& thread : ending) thread.join();
  }
  for (const auto& queued : refused)
    queued->on_done(fail(ErrorKind::closed, "the pool for blocking functions stopped"));
}

BlockingPool::BlockingPool(std::size_t threads, std::size_t queue)
    : state_(std::make_shared<PoolState>(threads, queue)) {}

BlockingPool::~BlockingPool() {
  stop();
}

void BlockingPool::stop() noexcept {
  state_->stop();
}

std::size_t BlockingPool::waiting() const {
  const std::lock_guard lock(state_->mutex);
  return state_->queue.size();
}

Task<Result<void>> BlockingPool::submit(std::shared_ptr<detail::BlockingJob> job) {
  auto initiate = [](auto handler, std::shared_ptr<PoolState> state, std::shared_ptr<detail::BlockingJob> function) {
    const auto queued = std::make_shared<QueuedJob>();
    queued->job = std::move(function);
    auto slot = asio::get_associated_cancellation_slot(handler);
    if (slot.is_connected()) {
      slot.assign([state, weak = std::weak_ptr(queued)](asio::cancellation_type) {
        if (const auto waiting = weak.lock()) state->withdraw(waiting);
      });
    }
    auto work = asio::make_work_guard(asio::get_associated_executor(handler));
    queued->on_done = [work = std::move(work), handler = std::move(handler)](Result<void> result) mutable {
      // The resumed caller may destroy the loop, so this thread must have released the executor before that.
      const auto handed_over = std::make_shared<std::mutex>();
      const std::lock_guard lock(*handed_over);
      const auto executor = work.get_executor();
      asio::post(executor, [handed_over, work = std::move(work), handler = std::move(handler),
                            result = std::move(result)]() mutable {
        handed_over->lock();
        handed_over->unlock();
        std::move(handler)(std::move(result));
      });
    };
    state->enqueue(queued);
  };
  co_return co_await asio::async_initiate<const UseTask&, void(Result<void>)>(initiate, use_task, state_,
                                                                              std::move(job));
}

}  // namespace fairlead
