#include <fairlead/base/blocking_pool.hpp>

#include <algorithm>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace fairlead {
namespace asio = boost::asio;

using Answer = std::move_only_function<void(Result<void>)>;

/// One job in the queue and the way back to whoever waits for it.
struct BlockingPool::Ticket {
  std::shared_ptr<detail::BlockingJob> job;
  Answer answer;
};

struct BlockingPool::State {
  State(std::size_t at_once, std::size_t in_queue)
      : most_threads(std::max<std::size_t>(1, at_once)), most_waiting(in_queue) {}

  void enqueue(std::shared_ptr<Ticket> ticket);
  void withdraw(const std::shared_ptr<Ticket>& ticket);
  void stop();
  void work();

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::shared_ptr<Ticket>> queue;
  std::vector<std::thread> threads;
  std::size_t most_threads, most_waiting;
  std::size_t busy = 0;
  bool stopped = false;

 private:
  Result<void> admit(const std::shared_ptr<Ticket>& ticket);
};

void BlockingPool::State::enqueue(std::shared_ptr<Ticket> ticket) {
  auto admitted = admit(ticket);
  if (!admitted) ticket->answer(std::move(admitted));
}

Result<void> BlockingPool::State::admit(const std::shared_ptr<Ticket>& ticket) {
  const std::lock_guard lock(mutex);
  if (stopped) return fail(ErrorKind::closed, "the pool for blocking functions has been stopped");
  const auto ahead = busy + queue.size();
  if (ahead >= most_threads + most_waiting) {
    return fail(ErrorKind::refused, "all " + std::to_string(most_threads) +
                                        " threads for blocking functions are busy and " + std::to_string(queue.size()) +
                                        " calls wait already: try again later");
  }
  queue.push_back(ticket);
  if (threads.size() < most_threads && threads.size() <= ahead) {
    try {
      threads.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
      if (!threads.empty()) return {};
      queue.pop_back();
      return fail(ErrorKind::refused, "the system gives us no thread for blocking functions: raise its limit");
    }
  }
  changed.notify_one();
  return {};
}

void BlockingPool::State::withdraw(const std::shared_ptr<Ticket>& ticket) {
  {
    const std::lock_guard lock(mutex);
    if (std::erase(queue, ticket) == 0) return;
  }
  ticket->answer(fail(ErrorKind::cancelled, "cancelled before a thread was free"));
}

void BlockingPool::State::work() {
  std::unique_lock lock(mutex);
  while (true) {
    changed.wait(lock, [this] { return stopped || !queue.empty(); });
    if (stopped) return;
    ++busy;
    const auto ticket = std::move(queue.front());
    queue.pop_front();
    lock.unlock();
    try {
      ticket->job->run();
    } catch (...) {
      ticket->job->failure = std::current_exception();
    }
    lock.lock();
    // Before the answer: the caller may come back at once and must find the place free.
    --busy;
    lock.unlock();
    ticket->answer({});
    lock.lock();
  }
}

void BlockingPool::State::stop() {
  std::unique_lock lock(mutex);
  stopped = true;
  changed.notify_all();
  const auto refused = std::exchange(queue, {});
  const auto is_ours = [](const std::thread& thread) { return thread.get_id() == std::this_thread::get_id(); };
  // A function that stops its own pool cannot wait for itself; the destructor will.
  if (std::ranges::any_of(threads, is_ours)) {
    lock.unlock();
  } else {
    auto ending = std::exchange(threads, {});
    lock.unlock();
    for (auto& thread : ending) thread.join();
  }
  for (const auto& ticket : refused) ticket->answer(fail(ErrorKind::closed, "the pool for blocking functions stopped"));
}

BlockingPool::BlockingPool(std::size_t threads, std::size_t queue) : state_(std::make_shared<State>(threads, queue)) {}

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
  auto initiate = [](auto handler, std::shared_ptr<State> state, std::shared_ptr<detail::BlockingJob> function) {
    const auto ticket = std::make_shared<Ticket>();
    ticket->job = std::move(function);
    auto slot = asio::get_associated_cancellation_slot(handler);
    if (slot.is_connected()) {
      slot.assign([state, weak = std::weak_ptr(ticket)](asio::cancellation_type) {
        if (const auto waiting = weak.lock()) state->withdraw(waiting);
      });
    }
    auto work = asio::make_work_guard(asio::get_associated_executor(handler));
    ticket->answer = [work = std::move(work), handler = std::move(handler)](Result<void> result) mutable {
      // Whoever is answered may destroy the loop at once, so this has to have let go of it by then.
      const auto letting_go = std::make_shared<std::mutex>();
      const std::lock_guard lock(*letting_go);
      const auto executor = work.get_executor();
      asio::post(executor, [letting_go, work = std::move(work), handler = std::move(handler),
                            result = std::move(result)]() mutable {
        letting_go->lock();
        letting_go->unlock();
        std::move(handler)(std::move(result));
      });
    };
    state->enqueue(ticket);
  };
  return asio::async_initiate<const asio::use_awaitable_t<>, void(Result<void>)>(initiate, asio::use_awaitable, state_,
                                                                                 std::move(job));
}

}  // namespace fairlead
