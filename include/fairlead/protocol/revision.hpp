#pragma once

#include <cstdint>
#include <fairlead/protocol/method_set.hpp>
#include <span>
#include <string_view>

namespace fairlead::protocol {

class EraCodec;

/// How a conversation starts: by a handshake that settles versions and capabilities, or not at all, each request
/// carrying its own.
enum class Lifecycle : std::uint8_t { handshake, stateless };

/// What a tool may return as `structuredContent`.
enum class StructuredContent : std::uint8_t { none, object, any };

/// Everything that differs between revisions of the specification, and nothing else.
///
/// Whoever wants to know asks by the feature, never by the date.
struct Revision {
  std::string_view name;
  Lifecycle lifecycle = Lifecycle::handshake;
  const EraCodec* codec = nullptr;

  // On the wire.
  bool batches = false;            ///< JSON-RPC arrays are legal.
  bool server_asks = false;        ///< Servers send requests of their own; else they ask inside results.
  bool result_type = false;        ///< Results say "complete" or "input_required".
  bool cache_hints = false;        ///< Results of cacheable methods carry ttlMs and cacheScope.
  bool request_log_level = false;  ///< Log messages are asked for per request.

  // Over HTTP.
  bool streamable_http = false;     ///< One endpoint; before that, an SSE stream and a second address to post to.
  bool http_sessions = false;       ///< Mcp-Session-Id exists.
  bool version_header = false;      ///< Requests carry MCP-Protocol-Version.
  bool method_headers = false;      ///< Requests carry Mcp-Method, Mcp-Name and Mcp-Param-*.
  bool get_stream = false;          ///< GET opens a stream for what the server has to say.
  bool resumable = false;           ///< A broken stream goes on from Last-Event-ID.
  bool priming_event = false;       ///< A stream opens with an event that has an id and no data.
  bool disconnect_cancels = false;  ///< Closing a response stream gives up on its request.

  // Errors.
  bool bad_arguments_in_band =
      false;                     ///< Arguments that fail their schema are the tool's failure, for the model to read.
  bool own_error_codes = false;  ///< -32020 to -32022 exist, -32002 does not.
  bool url_elicitation_error = false;  ///< -32042 exists.

  // Content.
  StructuredContent structured_content = StructuredContent::none;
  MethodSet content_types;  ///< The `type`s that a content block may have.

  // Who may say what. A method that its revision does not list does not exist there.
  MethodSet client_requests;
  MethodSet server_requests;
  MethodSet client_notifications;
  MethodSet server_notifications;
  MethodSet cacheable;     ///< Results that carry cache hints.
  MethodSet may_ask_back;  ///< Requests that may be answered by `input_required`.
};

/// All of them, oldest first.
std::span<const Revision> revisions();

/// Null for a name that is none.
const Revision* find_revision(std::string_view name);

/// The newest revision that starts with a handshake, and the newest of all.
const Revision& newest_handshake();
const Revision& newest();

/// What a request means that names no revision: clients of the first Streamable HTTP send no header.
const Revision& assumed_over_http();

/// What a server answers to `initialize`: the revision asked for if it starts with a handshake, else the newest that
/// does.
const Revision& negotiate(std::string_view requested);

}  // namespace fairlead::protocol
