#pragma once

#include <fairlead/base/synchronized.hpp>
#include <fairlead/server/task_store.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "server/tasks/loop_callback.hpp"

namespace fairlead::server {

/// The watchers of the tasks of one store. Thread-safe. Subscriptions may outlive it.
class TaskWatchers {
 public:
  TaskSubscription add(const std::string& id, std::function<void()> on_change);
  /// Calls the watchers without a lock.
  void notify(const std::string& id) const;

 private:
  using List = std::multimap<std::string, std::shared_ptr<std::function<void()>>, std::less<>>;
  std::shared_ptr<Synchronized<List>> list_ = std::make_shared<Synchronized<List>>();
};

/// Calls a function on an event loop after each change of a task, until it is destroyed on that loop.
class TaskWatch {
 public:
  TaskWatch(boost::asio::any_io_executor executor, TaskStore& store, const std::string& id,
            std::function<void()> on_change)
      : callback_(std::move(executor), std::move(on_change)), subscription_(store.watch(id, callback_.trigger())) {}
  TaskWatch(const TaskWatch&) = delete;
  TaskWatch& operator=(const TaskWatch&) = delete;

 private:
  LoopCallback callback_;
  TaskSubscription subscription_;
};

}  // namespace fairlead::server
