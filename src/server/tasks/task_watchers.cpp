#include "server/tasks/task_watchers.hpp"

#include <utility>
#include <vector>

namespace fairlead::server {

TaskSubscription TaskWatchers::add(const std::string& id, std::function<void()> on_change) {
  const auto watcher = std::make_shared<std::function<void()>>(std::move(on_change));
  const auto position = list_->with([&](List& list) { return list.emplace(id, watcher); });
  return {watcher.get(), [list = list_, position](void*) { list->with([&](List& all) { all.erase(position); }); }};
}

void TaskWatchers::notify(const std::string& id) const {
  std::vector<List::mapped_type> present;
  list_->with([&](const List& list) {
    const auto [first, last] = list.equal_range(id);
    for (auto each = first; each != last; ++each) present.push_back(each->second);
  });
  for (const auto& watcher : present) (*watcher)();
}

}  // namespace fairlead::server
