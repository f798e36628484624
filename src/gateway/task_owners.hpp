#pragma once

#include <cstddef>
#include <deque>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/session/service.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

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

/// Whose the tasks are that servers have begun: the latest so many of them. On one loop.
template <class Owner>
class TaskOwners {
 public:
  explicit TaskOwners(std::size_t most = 4096) : most_(most) {}

  /// False if the id is somebody's already: nobody takes over a task by giving its id to one of his own.
  bool add(const std::string& id, Owner owner) {
    if (!owners_.emplace(id, std::move(owner)).second) return false;
    order_.push_back(id);
    if (order_.size() > most_) {
      owners_.erase(order_.front());
      order_.pop_front();
    }
    return true;
  }

  /// For ids of one server's choice: where it gives one again, the task of that id before is no more.
  void put(const std::string& id, Owner owner) {
    if (const auto found = owners_.find(id); found != owners_.end()) {
      found->second = std::move(owner);
    } else {
      add(id, std::move(owner));
    }
  }

  const Owner* find(std::string_view id) const {
    const auto found = owners_.find(id);
    return found == owners_.end() ? nullptr : &found->second;
  }

 private:
  std::size_t most_;
  std::map<std::string, Owner, std::less<>> owners_;
  std::deque<std::string> order_;
};

}  // namespace fairlead::gateway
