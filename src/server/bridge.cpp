#include "server/bridge.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <exception>
#include <fairlead/base/log.hpp>
#include <fairlead/server/failure.hpp>
#include <future>
#include <memory>
#include <utility>

namespace fairlead::server {
namespace asio = boost::asio;

namespace {

using Promised = std::promise<std::exception_ptr>;

// What was thrown changes threads as a whole: nothing of it is left here when the other side looks at it.
Task<void> report(Task<void> task, std::shared_ptr<Promised> outcome) {
  std::exception_ptr failure;
  try {
    co_await std::move(task);
  } catch (...) {
    failure = std::current_exception();
  }
  outcome->set_value(std::move(failure));
}

Task<void> across(TaskScope& tasks, Bridge*& place, Task<void>& body) {
  const Bridge bridge(co_await asio::this_coro::executor, tasks, place);
  co_await std::move(body);
}

}  // namespace

Bridge::Bridge(asio::any_io_executor loop, TaskScope& tasks, Bridge*& place)
    : loop_(std::move(loop)), tasks_(tasks), place_(place) {
  place_ = this;
}

void Bridge::wait(Task<void> task) {
  auto outcome = std::make_shared<Promised>();
  auto ended = outcome->get_future();
  // A task that never begins, because the scope is cancelled or the loop is gone, takes the outcome with it.
  asio::post(loop_, [this, task = std::move(task), outcome = std::move(outcome)]() mutable {
    tasks_.spawn(report(std::move(task), std::move(outcome)));
  });
  std::exception_ptr failure;
  try {
    failure = ended.get();
  } catch (const std::future_error&) {
    throw Failed({.kind = ErrorKind::cancelled, .message = "the caller has given up"});
  }
  if (failure) std::rethrow_exception(failure);
}

Task<void> with_bridge(Bridge*& place, Task<void> body) {
  // What a task throws is thrown to whoever waits for it; there is nothing to log.
  static NullSink nobody;
  co_await with_scope(nobody, "blocking handler", [&](TaskScope& tasks) { return across(tasks, place, body); });
}

}  // namespace fairlead::server
