#pragma once

#include <fairlead/session/service.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/config/config.hpp"
#include "gateway/explain/explain.hpp"

/// Both ends of the way: where clients come in, how a server is called, and on what terms.
namespace fairlead::gateway {

struct CallEnding {
  const protocol::Revision* revision = nullptr;  ///< Null where it is not known.
  std::string tool;
  std::string_view schema = {};  ///< Of its arguments; empty where it is not known.
  std::string arguments;
  std::vector<ExplainedHeader> set = {};  ///< By the chain.
};

/// `http://127.0.0.1:8080 (Streamable HTTP, SSE, WebSocket), stdio`
std::string shown_entrances(const ListenConfig& listen);

/// A server's command, or its URL; and what carries messages there.
std::string shown_address(const ServerConfig& server);
std::string transport_to(const ServerConfig& server);

std::vector<ExplainedHeader> headers_to(const ServerConfig& server, const CallEnding& ending);

/// Time limits and the like; `patience` is what the chain leaves of it.
std::vector<ExplainedSetting> settings_of(const ServerConfig& server, const session::Patience& patience);

}  // namespace fairlead::gateway
