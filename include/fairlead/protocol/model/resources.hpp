#pragma once

#include <fairlead/protocol/model/content.hpp>
#include <fairlead/protocol/model/input.hpp>

namespace fairlead::protocol {
// NOLINTBEGIN(readability-identifier-naming): members are spelled as on the wire.

struct Resource {
  std::string uri;
  std::string name;
  std::optional<std::string> title = {};
  std::optional<std::string> description = {};
  std::optional<std::string> mimeType = {};
  std::optional<std::int64_t> size = {};  ///< Bytes, before base64 encoding.
  std::optional<Annotations> annotations = {};
  std::optional<std::vector<Icon>> icons = {};
  std::optional<Payload> _meta = {};
  json::Extra extra = {};
};

/// `uriTemplate` is RFC 6570.
struct ResourceTemplate {
  std::string uriTemplate;
  std::string name;
  std::optional<std::string> title = {};
  std::optional<std::string> description = {};
  std::optional<std::string> mimeType = {};
  std::optional<Annotations> annotations = {};
  std::optional<std::vector<Icon>> icons = {};
  std::optional<Payload> _meta = {};
  json::Extra extra = {};
};

struct ListResourcesResult {
  std::vector<Resource> resources;
  std::optional<std::string> nextCursor = {};
  std::optional<std::int64_t> ttlMs = {};
  std::optional<CacheScope> cacheScope = {};
  std::optional<Payload> _meta = {};
};

struct ListResourceTemplatesResult {
  std::vector<ResourceTemplate> resourceTemplates;
  std::optional<std::string> nextCursor = {};
  std::optional<std::int64_t> ttlMs = {};
  std::optional<CacheScope> cacheScope = {};
  std::optional<Payload> _meta = {};
};

struct ReadResourceParams {
  std::string uri;
  std::optional<InputResponses> inputResponses = {};
  std::optional<std::string> requestState = {};
  std::optional<Payload> _meta = {};
};

struct ReadResourceResult {
  std::vector<ResourceContents> contents;
  std::optional<std::int64_t> ttlMs = {};
  std::optional<CacheScope> cacheScope = {};
  std::optional<Payload> _meta = {};
};

/// Params of resources/subscribe, resources/unsubscribe and notifications/resources/updated.
struct ResourceUriParams {
  std::string uri;
  std::optional<Payload> _meta = {};
};

struct Root {
  std::string uri;
  std::optional<std::string> name = {};
  std::optional<Payload> _meta = {};
};

struct ListRootsResult {
  std::vector<Root> roots;
  std::optional<Payload> _meta = {};
};

// NOLINTEND(readability-identifier-naming)
}  // namespace fairlead::protocol

namespace fairlead::json {

template <>
struct Codec<protocol::Resource> : ExternCodec<protocol::Resource> {};
template <>
struct Codec<protocol::ResourceTemplate> : ExternCodec<protocol::ResourceTemplate> {};
template <>
struct Codec<protocol::ListResourcesResult> : ExternCodec<protocol::ListResourcesResult> {};
template <>
struct Codec<protocol::ListResourceTemplatesResult> : ExternCodec<protocol::ListResourceTemplatesResult> {};
template <>
struct Codec<protocol::ReadResourceParams> : ExternCodec<protocol::ReadResourceParams> {};
template <>
struct Codec<protocol::ReadResourceResult> : ExternCodec<protocol::ReadResourceResult> {};
template <>
struct Codec<protocol::ResourceUriParams> : ExternCodec<protocol::ResourceUriParams> {};
template <>
struct Codec<protocol::ListRootsResult> : ExternCodec<protocol::ListRootsResult> {};

}  // namespace fairlead::json
