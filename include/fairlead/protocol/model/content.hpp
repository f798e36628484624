#pragma once

#include <fairlead/protocol/model/common.hpp>
#include <variant>

namespace fairlead::protocol {
// NOLINTBEGIN(readability-identifier-naming): members are spelled as on the wire.

struct TextContent {
  using Tag = json::Tag<"type", "text">;
  std::string text;
  std::optional<Annotations> annotations = {};
  std::optional<Payload> _meta = {};
};

/// `data` is base64.
struct ImageContent {
  using Tag = json::Tag<"type", "image">;
  std::string data;
  std::string mimeType;
  std::optional<Annotations> annotations = {};
  std::optional<Payload> _meta = {};
};

/// `data` is base64.
struct AudioContent {
  using Tag = json::Tag<"type", "audio">;
  std::string data;
  std::string mimeType;
  std::optional<Annotations> annotations = {};
  std::optional<Payload> _meta = {};
};

struct TextResourceContents {
  std::string uri;
  std::optional<std::string> mimeType = {};
  std::string text;
  std::optional<Payload> _meta = {};
};

/// `blob` is base64.
struct BlobResourceContents {
  std::string uri;
  std::optional<std::string> mimeType = {};
  std::string blob;
  std::optional<Payload> _meta = {};
};

using ResourceContents = std::variant<TextResourceContents, BlobResourceContents>;

struct EmbeddedResource {
  using Tag = json::Tag<"type", "resource">;
  ResourceContents resource;
  std::optional<Annotations> annotations = {};
  std::optional<Payload> _meta = {};
};

/// A resource that the client may read; resources/list need not contain it.
struct ResourceLink {
  using Tag = json::Tag<"type", "resource_link">;
  std::string uri;
  std::string name;
  std::optional<std::string> title = {};
  std::optional<std::string> description = {};
  std::optional<std::string> mimeType = {};
  std::optional<std::int64_t> size = {};
  std::optional<Annotations> annotations = {};
  std::optional<std::vector<Icon>> icons = {};
  std::optional<Payload> _meta = {};
};

/// A content block of a tool result or prompt. Unknown types are kept unchanged as a `Payload`.
using ContentBlock = std::variant<TextContent, ImageContent, AudioContent, ResourceLink, EmbeddedResource, Payload>;

/// A tool call requested by the model, in sampling.
struct ToolUseContent {
  using Tag = json::Tag<"type", "tool_use">;
  std::string id;
  std::string name;
  Payload input;
  std::optional<Payload> _meta = {};
};

/// The result of a `ToolUseContent`.
struct ToolResultContent {
  using Tag = json::Tag<"type", "tool_result">;
  std::string toolUseId;
  std::vector<ContentBlock> content;
  std::optional<Payload> structuredContent = {};
  std::optional<bool> isError = {};
  std::optional<Payload> _meta = {};
};

// NOLINTEND(readability-identifier-naming)
}  // namespace fairlead::protocol

namespace fairlead::json {

template <>
struct Codec<protocol::ResourceContents> : ExternCodec<protocol::ResourceContents> {};
template <>
struct Codec<protocol::ContentBlock> : ExternCodec<protocol::ContentBlock> {};
template <>
struct Codec<protocol::ToolResultContent> : ExternCodec<protocol::ToolResultContent> {};

}  // namespace fairlead::json
