#pragma once

#include <fairlead/session/service.hpp>

#include "gateway/config/config.hpp"
#include "gateway/explain/explain.hpp"

/// Addresses, headers and limits of a call to a server.
namespace fairlead::gateway {

struct CallTarget {
  const protocol::Revision* revision = nullptr;  ///< Null if unknown.
  std::string tool;
  std::string_view schema = {};  ///< Input schema; empty if unknown.
  std::string arguments;
  std::vector<ExplainedHeader> set = {};  ///< Headers set by the chain.
};

/// `http://127.0.0.1:8080 (Streamable HTTP, SSE, WebSocket), stdio`
std::string listen_addresses(const ListenConfig& listen);

/// Command line or URL of a server, and the transport.
std::string server_address(const ServerConfig& server);
std::string transport_to(const ServerConfig& server);

std::vector<ExplainedHeader> headers_to(const ServerConfig& server, const CallTarget& target);

/// Timeouts and limits of a server; `timeouts` are those left by the chain.
std::vector<ExplainedSetting> settings_of(const ServerConfig& server, const session::Timeouts& timeouts);

}  // namespace fairlead::gateway
