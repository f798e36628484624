#pragma once

#include <fairlead/base/clock.hpp>

#include "gateway/config/config.hpp"
#include "gateway/model/backend_list.hpp"

namespace fairlead::cli {

/// The definitions of a server's tools and prompts, as the server sent them.
struct ServerDefinitions {
  std::string server;
  bool answers = false;
  std::string error = {};  ///< Why the server did not respond.
  const protocol::Revision* revision = nullptr;
  std::vector<gateway::ListItem> tools = {};
  std::vector<gateway::ListItem> prompts = {};

  const std::vector<gateway::ListItem>& of(gateway::ListKind kind) const {
    return kind == gateway::ListKind::tools ? tools : prompts;
  }
};

/// Fetches the definitions of all servers concurrently, each within `deadline`. Results are in the order of `servers`.
std::vector<ServerDefinitions> fetch_definitions(const std::vector<gateway::ServerConfig>& servers, Duration deadline);

}  // namespace fairlead::cli
