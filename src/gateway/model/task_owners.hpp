#pragma once

#include <algorithm>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/session/service.hpp>
#include <iterator>
#include <list>
#include <map>
#include <utility>

#include "gateway/model/caller_id.hpp"

namespace fairlead::gateway {

/// The id of the task of the handshake revisions that a call has started; nothing if it started none.
inline std::optional<std::string> started_task(const session::Call& call, const session::Reply& reply) {
  if (!reply.body.may_contain("task") || !call.params.text().contains("\"task\"")) return std::nullopt;
  const auto id = json::member_of(json::member_of(reply.body, "task"), "taskId");
  auto text = id.starts_with('"') ? json::decode<std::string>(id) : Result<std::string>("");
  return text && !text->empty() ? std::optional(std::move(*text)) : std::nullopt;
}

/// How many tasks are remembered, for one caller and in total.
struct TaskOwnerLimits {
  std::size_t per_caller = 4096;
  std::size_t total = 65'536;
};

/// Maps task ids to their owners. At its limit a caller loses its oldest task; at the total limit the caller with the
/// most tasks loses its oldest. Used on one event loop.
template <class Owner>
class TaskOwners {
 public:
  explicit TaskOwners(TaskOwnerLimits limits = {}) : limits_(limits) {}

  /// False if the id is taken: a caller cannot take over a task by starting one with the same id.
  bool add(const std::string& id, const CallerId& caller, Owner owner) {
    if (owners_.contains(id)) return false;
    auto& own = ids_[caller];
    own.push_back(id);
    owners_.emplace(id, Entry{.owner = std::move(owner), .caller = caller, .position = std::prev(own.end())});
    if (own.size() > limits_.per_caller) forget(own.front());
    if (owners_.size() > limits_.total) forget(largest_caller_ids().front());
    return true;
  }

  /// For ids that one server chose: a new task with a known id replaces the earlier one.
  void replace(const std::string& id, const CallerId& caller, Owner owner) {
    forget(id);
    add(id, caller, std::move(owner));
  }

  const Owner* find(std::string_view id) const {
    const auto found = owners_.find(id);
    return found == owners_.end() ? nullptr : &found->second.owner;
  }

 private:
  using Ids = std::list<std::string>;  // Oldest first.
  struct Entry {
    Owner owner;
    CallerId caller;
    Ids::iterator position;
  };

  void forget(std::string_view id) {
    const auto found = owners_.find(id);
    if (found == owners_.end()) return;
    const auto owned = ids_.find(found->second.caller);
    const auto position = found->second.position;
    owners_.erase(found);
    owned->second.erase(position);
    if (owned->second.empty()) ids_.erase(owned);
  }

  const Ids& largest_caller_ids() const {
    const auto count = [](const auto& each) { return each.second.size(); };
    return std::ranges::max_element(ids_, {}, count)->second;
  }

  TaskOwnerLimits limits_;
  std::map<std::string, Entry, std::less<>> owners_;
  std::map<CallerId, Ids> ids_;
};

}  // namespace fairlead::gateway
