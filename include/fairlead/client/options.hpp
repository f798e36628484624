#pragma once

#include <cstddef>
#include <cstdint>
#include <fairlead/client/answer.hpp>
#include <fairlead/protocol/model/elicitation.hpp>
#include <fairlead/protocol/model/lifecycle.hpp>
#include <fairlead/protocol/model/resources.hpp>
#include <fairlead/protocol/model/sampling.hpp>
#include <fairlead/session/service.hpp>
#include <fairlead/transport/http_client.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace fairlead {
class LogSink;
}

namespace fairlead::client {

/// How to find out what a server speaks.
enum class Era : std::uint8_t {
  automatic,        ///< Ask; a server that does not understand the question gets a handshake.
  handshake,        ///< Shake hands at once.
  stateless,        ///< No handshake, whatever happens.
  handshake_first,  ///< Shake hands; a server that refuses that is asked what it speaks.
};

/// Which results are held against the schema that their tool promised.
enum class ResultCheck : std::uint8_t {
  never,
  listed,  ///< Of tools that were listed, so that their schemas are at hand.
  always,  ///< Of all; the first call of a tool that was not listed lists them.
};

/// Which list of the server's has changed.
enum class List : std::uint8_t { tools, resources, prompts };

struct ClientOptions {
  protocol::Implementation self = {.name = "fairlead", .title = {}, .version = {}};
  Era era = Era::automatic;
  std::string revision = {};                 ///< The only one to speak; overrides `era`.
  Duration probe = std::chrono::seconds{5};  ///< How long a server may be silent on being asked what it speaks.
  session::Patience patience = {};           ///< With every request, unless the call says otherwise.
  ResultCheck check = ResultCheck::listed;
  std::size_t max_rounds = 16;  ///< How often a server may answer one call with questions.
  bool cache = true;            ///< Use results again for as long as the server says they are good.
  bool reconnect = true;        ///< The next call after a server has gone starts it, or reaches it, anew.

  // What the server may ask of us. What is not set is not offered.
  Answerer<protocol::CreateMessageParams, protocol::CreateMessageResult> on_sample = {};
  bool sample_with_tools = false;
  Answerer<protocol::ElicitFormParams, protocol::ElicitResult> on_form = {};
  Answerer<protocol::ElicitUrlParams, protocol::ElicitResult> on_visit = {};
  std::optional<std::vector<protocol::Root>> roots = {};

  // What it may tell us. Called on the client's loop: be quick.
  std::function<void(const protocol::LoggingMessageParams&)> on_log = {};
  std::function<void(List)> on_list_changed = {};
  std::function<void(const std::string& uri)> on_resource_updated = {};
  std::function<void(const session::Notice&)> on_notice = {};  ///< Whatever has no place of its own above.

  /// Called when a server that was reached goes away without having been told to, before calls under way fail. The
  /// error says why, and `Error::diagnosis` what is known of its process.
  std::function<void(const Error&)> on_lost = {};

  /// For programs that pass on what a server asks and tells: answers and hears everything instead of the above. With it
  /// goes what is offered to the server. Outlives the client.
  session::Service* answering = nullptr;
  protocol::ClientCapabilities capabilities = {};

  transport::HttpClientOptions http = {};  ///< For servers at a URL, which is the endpoint's business.

  LogSink* log = nullptr;  ///< For blocking clients; warnings go to stderr otherwise. Outlives the client.
};

struct CallOptions {
  std::optional<session::Patience> patience = {};
  std::function<void(const protocol::ProgressParams&)> on_progress = {};  ///< Called on the client's loop.
  std::optional<json::Payload> meta = {};                                 ///< `_meta` to go with the request.
};

/// A server, as it introduced itself.
struct ServerDescription {
  const protocol::Revision* revision = nullptr;
  protocol::Implementation info = {};
  protocol::ServerCapabilities capabilities = {};
  std::optional<std::string> instructions = {};
  json::Extra extra = {};  ///< What else it said of itself, `_meta` included.
};

}  // namespace fairlead::client
