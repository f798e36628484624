#include <fairlead/base/workers.hpp>

#include <algorithm>
#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <fairlead/base/log.hpp>
#include <fairlead/base/timer_wheel_driver.hpp>
#include <mutex>
#include <thread>

#include "base/exceptions.hpp"

namespace fairlead {
namespace asio = boost::asio;

struct Worker::WorkerState {
  WorkerState(std::size_t number, LogSink& sink) : index(number), log(sink) {}

  std::size_t index;
  LogSink& log;
  asio::io_context context{1};
  asio::executor_work_guard<asio::io_context::executor_type> stay{context.get_executor()};
  TimerWheelDriver timers{context.get_executor()};
};

Worker::Worker(std::size_t index, LogSink& log) : state_(std::make_unique<WorkerState>(index, log)) {}

Worker::~Worker() = default;

std::size_t Worker::index() const {
  return state_->index;
}

asio::io_context& Worker::context() {
  return state_->context;
}

asio::any_io_executor Worker::executor() {
  return state_->context.get_executor();
}

TimerWheel& Worker::timers() {
  return state_->timers.wheel();
}

bool Worker::is_current() const {
  return state_->context.get_executor().running_in_this_thread();
}

void Worker::run() noexcept {
  while (!state_->context.stopped()) {
    try {
      state_->context.run();
    } catch (...) {
      // An exception of a posted function; tasks log theirs. The worker continues for the other connections.
      const auto text = "worker " + std::to_string(state_->index) + " caught: " + describe(std::current_exception());
      state_->log.write(LogLevel::error, "workers", text);
    }
  }
}

void Worker::stop() noexcept {
  state_->context.stop();
}

struct Workers::Threads {
  std::mutex mutex;
  std::vector<std::thread> running;
  bool started = false;
  std::atomic<bool> stopped = false;
};

Workers::Workers(std::size_t count, LogSink& log) : threads_(std::make_unique<Threads>()) {
  if (count == 0) count = std::max(1u, std::thread::hardware_concurrency());
  for (std::size_t i = 0; i < count; ++i) workers_.push_back(std::make_unique<Worker>(i, log));
}

Workers::~Workers() {
  stop();
}

void Workers::start() {
  launch(0);
}

void Workers::run() {
  launch(1);
  workers_[0]->run();
  stop();
}

void Workers::launch(std::size_t first) {
  const std::lock_guard lock(threads_->mutex);
  if (threads_->stopped || std::exchange(threads_->started, true)) return;
  for (std::size_t i = first; i < workers_.size(); ++i) {
    threads_->running.emplace_back([worker = workers_[i].get()] { worker->run(); });
  }
}

void Workers::stop() noexcept {
  threads_->stopped = true;
  for (const auto& worker : workers_) worker->stop();
  // Two workers that joined each other would deadlock, so neither does.
  if (on_a_worker()) return;
  const std::lock_guard lock(threads_->mutex);
  for (auto& thread : threads_->running) thread.join();
  threads_->running.clear();
}

bool Workers::on_a_worker() const {
  return std::ranges::any_of(workers_, [](const auto& worker) { return worker->is_current(); });
}

}  // namespace fairlead
