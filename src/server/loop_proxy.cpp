#include "server/loop_proxy.hpp"

#include <boost/asio/post.hpp>
#include <exception>
#include <fairlead/base/log.hpp>
#include <fairlead/server/exceptions.hpp>
#include <future>
#include <memory>

namespace fairlead::server {
namespace asio = boost::asio;

namespace {

using OutcomePromise = std::promise<std::exception_ptr>;

// Moves the exception to the waiting thread: no reference to it stays on this one.
Task<void> report(Task<void> task, std::shared_ptr<OutcomePromise> outcome) {
  std::exception_ptr failure;
  try {
    co_await std::move(task);
  } catch (...) {
    failure = std::current_exception();
  }
  outcome->set_value(std::move(failure));
}

Task<void> run_body(TaskScope& tasks, LoopProxy*& slot, Task<void>& body) {
  const LoopProxy loop_proxy(co_await this_task::executor, tasks, slot);
  co_await std::move(body);
}

}  // namespace

LoopProxy::LoopProxy(asio::any_io_executor loop, TaskScope& tasks, LoopProxy*& slot)
    : loop_(std::move(loop)), tasks_(tasks), slot_(slot) {
  slot_ = this;
}

void LoopProxy::wait(Task<void> task) {
  auto outcome = std::make_shared<OutcomePromise>();
  auto ended = outcome->get_future();
  // If the task never starts (scope cancelled, loop destroyed), its promise is destroyed and the future breaks.
  asio::post(loop_, [this, task = std::move(task), outcome = std::move(outcome)]() mutable {
    tasks_.spawn(report(std::move(task), std::move(outcome)));
  });
  std::exception_ptr failure;
  try {
    failure = ended.get();
  } catch (const std::future_error&) {
    throw Failed({.kind = ErrorKind::cancelled, .message = "the request was cancelled"});
  }
  if (failure) std::rethrow_exception(failure);
}

Task<void> with_loop_proxy(LoopProxy*& slot, Task<void> body) {
  // Exceptions are rethrown in wait(), so there is nothing to log.
  static NullSink null_log;
  co_await with_scope(null_log, "blocking handler", [&](TaskScope& tasks) { return run_body(tasks, slot, body); });
}

}  // namespace fairlead::server
