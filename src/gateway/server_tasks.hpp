#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "gateway/config/config.hpp"
#include "gateway/upstream/upstream.hpp"

namespace fairlead::gateway {

/// Whose the tasks of all servers are, which outlives what a reload replaces. On one loop.
class ServerTasks {
 public:
  using Owners = std::shared_ptr<TaskOwners<TaskOwner>>;

  /// The same as before, as long as it is the same server by that name.
  Owners of(const ServerConfig& config) {
    auto what = config.url;
    for (const auto& word : config.command) what += '\0' + word;
    auto& known = all_[config.name];
    if (!known.second || known.first != what) known = {std::move(what), std::make_shared<TaskOwners<TaskOwner>>()};
    return known.second;
  }

 private:
  std::map<std::string, std::pair<std::string, Owners>> all_;  // By name: what the server is, and its owners.
};

}  // namespace fairlead::gateway
