#pragma once

#include <fairlead/client/request_handler.hpp>
#include <fairlead/protocol/model/elicitation.hpp>
#include <fairlead/protocol/model/lifecycle.hpp>
#include <fairlead/protocol/model/resources.hpp>
#include <fairlead/protocol/model/sampling.hpp>
#include <fairlead/session/service.hpp>
#include <fairlead/transport/http_client.hpp>

namespace fairlead {
class LogSink;
}

namespace fairlead::client {

/// How to choose between the handshake era (initialize) and the stateless era (server/discover).
enum class EraPreference : std::uint8_t {
  automatic,        ///< Send server/discover; initialize if the server does not support it.
  handshake,        ///< Initialize; never discover.
  stateless,        ///< Discover; never initialize.
  handshake_first,  ///< Initialize; discover if the server refuses.
};

/// Which results are validated against the output schema of their tool.
enum class ResultValidation : std::uint8_t {
  never,
  listed,  ///< Results of tools that were listed before, so that their schemas are known.
  always,  ///< All results; calling a tool that was not listed lists the tools first.
};

/// The list that changed on the server.
enum class ChangedList : std::uint8_t { tools, resources, prompts };

struct ClientOptions {
  protocol::Implementation client_info = {.name = "fairlead", .title = {}, .version = {}};
  EraPreference era = EraPreference::automatic;
  std::string revision = {};                            ///< Use only this protocol revision; overrides `era`.
  Duration discover_timeout = std::chrono::seconds{5};  ///< Timeout of server/discover with EraPreference::automatic.
  session::Timeouts timeouts = {};                      ///< Default for all requests.
  ResultValidation validate_results = ResultValidation::listed;
  std::size_t max_rounds = 16;  ///< Limit of input rounds per call.
  bool cache = true;            ///< Cache results that carry cache hints.
  bool reconnect = true;        ///< Reconnect, or restart the server, on the next call.
  bool tasks = false;           ///< Let tool calls become tasks (extension io.modelcontextprotocol/tasks).

  // Handlers for requests of the server. A capability is declared if its handler is set.
  RequestHandler<protocol::CreateMessageParams, protocol::CreateMessageResult> on_create_message = {};
  bool allow_sampling_tools = false;
  RequestHandler<protocol::ElicitFormParams, protocol::ElicitResult> on_elicit = {};
  RequestHandler<protocol::ElicitUrlParams, protocol::ElicitResult> on_elicit_url = {};
  std::optional<std::vector<protocol::Root>> roots = {};

  /// Extensions to declare to the server, with their settings as JSON objects.
  protocol::Settings extensions = {};

  // Handlers for notifications. Called on the client's event loop; must not block.
  std::function<void(const protocol::LoggingMessageParams&)> on_log = {};
  std::function<void(ChangedList)> on_list_changed = {};
  std::function<void(const std::string& uri)> on_resource_updated = {};
  std::function<void(const session::Notification&)> on_notification = {};  ///< All other notifications.

  /// Called when the connection is lost unexpectedly, before pending calls fail. `Error::diagnosis` describes the state
  /// of a child process.
  std::function<void(const Error&)> on_connection_lost = {};

  /// For proxies: receives all requests and notifications of the server instead of the handlers above; `capabilities`
  /// is then declared to the server. Outlives the client.
  session::Service* incoming_service = nullptr;
  protocol::ClientCapabilities capabilities = {};

  transport::HttpClientOptions http = {};  ///< For endpoints with a URL. The endpoint sets the URL.

  LogSink* log = nullptr;  ///< For blocking clients. Null: warnings go to stderr. Outlives the client.
};

struct CallOptions {
  std::optional<session::Timeouts> timeouts = {};
  std::function<void(const protocol::ProgressParams&)> on_progress = {};  ///< Called on the client's event loop.
  std::optional<json::Payload> meta = {};                                 ///< `_meta` of the request.
  bool use_cache = true;                                                  ///< False: send the request in any case.
};

/// What a server declared in initialize or server/discover.
struct ServerDescription {
  const protocol::Revision* revision = nullptr;
  protocol::Implementation info = {};
  protocol::ServerCapabilities capabilities = {};
  std::optional<std::string> instructions = {};
  json::Extra extra = {};  ///< Other members of the result, including `_meta`.
};

}  // namespace fairlead::client
