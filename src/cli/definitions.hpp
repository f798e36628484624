#pragma once

#include <fairlead/base/clock.hpp>
#include <string>
#include <vector>

#include "gateway/config/config.hpp"
#include "gateway/merge/member_list.hpp"

namespace fairlead::cli {

/// What a server says of its tools and prompts, word for word.
struct Definitions {
  std::string server;
  bool answers = false;
  std::string trouble = {};  ///< Why not.
  const protocol::Revision* revision = nullptr;
  std::vector<gateway::ListItem> tools = {};
  std::vector<gateway::ListItem> prompts = {};

  const std::vector<gateway::ListItem>& of(gateway::ListKind kind) const {
    return kind == gateway::ListKind::tools ? tools : prompts;
  }
};

/// Asks all servers at once, as a gateway does; each has so long. In their order.
std::vector<Definitions> definitions_of(const std::vector<gateway::ServerConfig>& servers, Duration deadline);

}  // namespace fairlead::cli
