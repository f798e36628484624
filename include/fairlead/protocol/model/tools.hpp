#pragma once

#include <fairlead/protocol/model/content.hpp>
#include <fairlead/protocol/model/input.hpp>

namespace fairlead::protocol {
// NOLINTBEGIN(readability-identifier-naming): members are spelled as on the wire.

/// Hints about the behaviour of a tool. Untrusted: do not base security decisions on them.
struct ToolAnnotations {
  std::optional<std::string> title = {};
  std::optional<bool> readOnlyHint = {};
  std::optional<bool> destructiveHint = {};
  std::optional<bool> idempotentHint = {};
  std::optional<bool> openWorldHint = {};
  json::Extra extra = {};
};

enum class TaskSupport : std::uint8_t { forbidden, optional, required };

struct ToolExecution {
  std::optional<TaskSupport> taskSupport = {};
  json::Extra extra = {};
};

struct Tool {
  std::string name;
  std::optional<std::string> title = {};
  std::optional<std::string> description = {};
  Payload inputSchema;
  std::optional<Payload> outputSchema = {};
  std::optional<ToolAnnotations> annotations = {};
  std::optional<ToolExecution> execution = {};
  std::optional<std::vector<Icon>> icons = {};
  std::optional<Payload> _meta = {};
  json::Extra extra = {};
};

struct ListToolsResult {
  std::vector<Tool> tools;
  std::optional<std::string> nextCursor = {};
  std::optional<std::int64_t> ttlMs = {};
  std::optional<CacheScope> cacheScope = {};
  std::optional<Payload> _meta = {};
};

struct CallToolParams {
  std::string name;
  std::optional<Payload> arguments = {};
  std::optional<Payload> task = {};  ///< Asks to run the call as a task (handshake era).
  std::optional<InputResponses> inputResponses = {};
  std::optional<std::string> requestState = {};
  std::optional<Payload> _meta = {};
};

/// A failed tool returns a result with `isError`, so that the model can read the reason and try again.
struct CallToolResult {
  std::vector<ContentBlock> content;
  std::optional<Payload> structuredContent = {};
  std::optional<bool> isError = {};
  std::optional<Payload> _meta = {};
};

// NOLINTEND(readability-identifier-naming)
}  // namespace fairlead::protocol

namespace fairlead::json {

template <>
struct Codec<protocol::Tool> : ExternCodec<protocol::Tool> {};
template <>
struct Codec<protocol::ListToolsResult> : ExternCodec<protocol::ListToolsResult> {};
template <>
struct Codec<protocol::CallToolParams> : ExternCodec<protocol::CallToolParams> {};
template <>
struct Codec<protocol::CallToolResult> : ExternCodec<protocol::CallToolResult> {};

}  // namespace fairlead::json
