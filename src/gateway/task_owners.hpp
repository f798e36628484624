#pragma once

#include <algorithm>
#include <cstddef>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/session/service.hpp>
#include <iterator>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "gateway/caller_id.hpp"

namespace fairlead::gateway {

/// The id of the task that a call has begun; nothing if it has begun none.
inline std::optional<std::string> begun_task(const session::Call& call, const session::Reply& reply) {
  if (!reply.body.may_have("task") && !reply.body.may_have("taskId")) return std::nullopt;
  const bool may_be = reply.kind == protocol::ResultKind::other || call.params.text().contains("\"task\"");
  if (!may_be) return std::nullopt;
  auto id = json::member_of(json::member_of(reply.body, "task"), "taskId");
  if (id.empty()) id = json::member_of(reply.body, "taskId");
  auto text = id.starts_with('"') ? json::decode<std::string>(id) : Result<std::string>("");
  return text && !text->empty() ? std::optional(std::move(*text)) : std::nullopt;
}

/// How many tasks are remembered: of one caller, and of all together.
struct TaskOwnerLimits {
  std::size_t per_caller = 4096;
  std::size_t total = 65'536;
};

/// Whose the tasks are that servers have begun. A caller who has too many forgets its own oldest; where there are too
/// many of all, the caller with the most of them does. On one loop.
template <class Owner>
class TaskOwners {
 public:
  explicit TaskOwners(TaskOwnerLimits limits = {}) : limits_(limits) {}

  /// False if the id is somebody's already: nobody takes over a task by giving its id to one of his own.
  bool add(const std::string& id, const CallerId& caller, Owner owner) {
    if (owners_.contains(id)) return false;
    auto& own = ids_[caller];
    own.push_back(id);
    owners_.emplace(id, Entry{.owner = std::move(owner), .caller = caller, .place = std::prev(own.end())});
    if (own.size() > limits_.per_caller) forget(own.front());
    if (owners_.size() > limits_.total) forget(most_of_all().front());
    return true;
  }

  /// For ids of one server's choice: where it gives one again, the task of that id before is no more.
  void put(const std::string& id, const CallerId& caller, Owner owner) {
    forget(id);
    add(id, caller, std::move(owner));
  }

  const Owner* find(std::string_view id) const {
    const auto found = owners_.find(id);
    return found == owners_.end() ? nullptr : &found->second.owner;
  }

 private:
  using Ids = std::list<std::string>;  // The oldest first.
  struct Entry {
    Owner owner;
    CallerId caller;
    Ids::iterator place;
  };

  void forget(std::string_view id) {
    const auto found = owners_.find(id);
    if (found == owners_.end()) return;
    const auto whose = ids_.find(found->second.caller);
    const auto place = found->second.place;
    owners_.erase(found);
    whose->second.erase(place);
    if (whose->second.empty()) ids_.erase(whose);
  }

  const Ids& most_of_all() const {
    const auto count = [](const auto& each) { return each.second.size(); };
    return std::ranges::max_element(ids_, {}, count)->second;
  }

  TaskOwnerLimits limits_;
  std::map<std::string, Entry, std::less<>> owners_;
  std::map<CallerId, Ids> ids_;
};

}  // namespace fairlead::gateway
