#pragma once

#include <cstdint>
#include <fairlead/protocol/method_set.hpp>
#include <span>

namespace fairlead::protocol {

class EraCodec;

/// Whether a session starts with an initialize handshake, or each request carries version and capabilities.
enum class Lifecycle : std::uint8_t { handshake, stateless };

/// What a tool may return as `structuredContent`.
enum class StructuredContent : std::uint8_t { none, object, any };

/// The properties in which revisions of the specification differ.
///
/// Code checks these properties, not the date of a revision. A method that the table does not list does not exist in
/// the revision, unless an extension adds it (extension.hpp).
struct Revision : MethodTable {
  std::string_view name;
  Lifecycle lifecycle = Lifecycle::handshake;
  const EraCodec* codec = nullptr;

  // On the wire.
  bool batches = false;                    ///< JSON-RPC batches are allowed.
  bool server_initiated_requests = false;  ///< Servers send requests; else `input_required` results.
  bool result_type = false;                ///< Results have a `resultType`.
  bool cache_hints = false;                ///< Results of cacheable methods carry ttlMs and cacheScope.
  bool request_log_level = false;          ///< Each request sets its own log level.

  // Over HTTP.
  bool streamable_http = false;     ///< One endpoint; otherwise HTTP+SSE with a separate POST address.
  bool http_sessions = false;       ///< Mcp-Session-Id exists.
  bool version_header = false;      ///< Requests carry MCP-Protocol-Version.
  bool method_headers = false;      ///< Requests carry Mcp-Method, Mcp-Name and Mcp-Param-*.
  bool get_stream = false;          ///< GET opens a stream of server messages.
  bool resumable = false;           ///< A broken stream can be resumed with Last-Event-ID.
  bool priming_event = false;       ///< A stream starts with an event that has an id and no data.
  bool disconnect_cancels = false;  ///< Closing a response stream cancels its request.

  // Errors.
  bool bad_arguments_in_band = false;  ///< Invalid arguments give a tool result with `isError`.
  bool reserved_error_codes = false;   ///< -32020 to -32022 exist, -32002 does not.
  bool url_elicitation_error = false;  ///< -32042 exists.

  // Content.
  StructuredContent structured_content = StructuredContent::none;
  MethodSet content_types;      ///< The `type`s that a content block may have.
  MethodSet may_require_input;  ///< Methods that may return `input_required`.
};

/// All revisions, oldest first.
std::span<const Revision> revisions();

/// Returns null for an unknown name.
const Revision* find_revision(std::string_view name);

/// The newest revision with a handshake, and the newest revision.
const Revision& newest_handshake();
const Revision& newest();

/// The revision of HTTP requests without MCP-Protocol-Version: clients of the first Streamable HTTP revision omit it.
const Revision& assumed_over_http();

/// The revision that a server returns from `initialize`: the requested one if it has a handshake, otherwise the newest
/// that has.
const Revision& negotiate(std::string_view requested);

}  // namespace fairlead::protocol
