#pragma once

#include <fairlead/base/clock.hpp>

#include "gateway/config/config.hpp"
#include "gateway/model/backend_list.hpp"

namespace fairlead::cli {

/// The definitions of a server's tools, prompts, skills and pages, as the server sent them.
struct ServerDefinitions {
  std::string server;
  bool answers = false;
  std::string error = {};  ///< Why the server did not respond.
  const protocol::Revision* revision = nullptr;
  std::vector<gateway::ListItem> tools = {};
  std::vector<gateway::ListItem> prompts = {};
  std::vector<gateway::ListItem> skills = {};
  std::vector<gateway::ListItem> pages = {};  ///< See gateway::page_definition.

  std::vector<gateway::ListItem>& of(gateway::ListKind kind) {
    switch (kind) {
      case gateway::ListKind::tools: return tools;
      case gateway::ListKind::prompts: return prompts;
      case gateway::ListKind::skills: return skills;
      case gateway::ListKind::resources:
      case gateway::ListKind::templates: break;
    }
    return pages;
  }
  const std::vector<gateway::ListItem>& of(gateway::ListKind kind) const {
    return const_cast<ServerDefinitions*>(this)->of(kind);
  }
};

/// Fetches the definitions of all servers concurrently, each within `deadline`. Results are in the order of `servers`.
std::vector<ServerDefinitions> fetch_definitions(const std::vector<gateway::ServerConfig>& servers, Duration deadline);

}  // namespace fairlead::cli
