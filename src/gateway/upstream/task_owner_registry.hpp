#pragma once

#include "gateway/config/config.hpp"
#include "gateway/upstream/upstream.hpp"

namespace fairlead::gateway {

/// The task owners of all servers, kept across reloads. Used on one event loop.
class TaskOwnerRegistry {
 public:
  using Owners = std::shared_ptr<TaskOwners<TaskOwner>>;

  /// Returns the existing owners if the server of this name has the same URL or command.
  Owners of(const ServerConfig& config) {
    auto what = config.url;
    for (const auto& word : config.command) what += '\0' + word;
    auto& known = all_[config.name];
    if (!known.second || known.first != what) known = {std::move(what), std::make_shared<TaskOwners<TaskOwner>>()};
    return known.second;
  }

 private:
  std::map<std::string, std::pair<std::string, Owners>> all_;  // By name: URL or command of the server, and its owners.
};

}  // namespace fairlead::gateway
