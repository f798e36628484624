#pragma once

#include <fairlead/protocol/model/content.hpp>
#include <fairlead/protocol/model/input.hpp>

namespace fairlead::protocol {
// NOLINTBEGIN(readability-identifier-naming): members are spelled as on the wire.

struct PromptArgument {
  std::string name;
  std::optional<std::string> title = {};
  std::optional<std::string> description = {};
  std::optional<bool> required = {};
  json::Extra extra = {};
};

struct Prompt {
  std::string name;
  std::optional<std::string> title = {};
  std::optional<std::string> description = {};
  std::optional<std::vector<PromptArgument>> arguments = {};
  std::optional<std::vector<Icon>> icons = {};
  std::optional<Payload> _meta = {};
  json::Extra extra = {};
};

struct ListPromptsResult {
  std::vector<Prompt> prompts;
  std::optional<std::string> nextCursor = {};
  std::optional<std::int64_t> ttlMs = {};
  std::optional<CacheScope> cacheScope = {};
  std::optional<Payload> _meta = {};
};

struct GetPromptParams {
  std::string name;
  std::optional<std::map<std::string, std::string>> arguments = {};
  std::optional<InputResponses> inputResponses = {};
  std::optional<std::string> requestState = {};
  std::optional<Payload> _meta = {};
};

struct PromptMessage {
  static constexpr bool initialisers_are_defaults = false;
  Role role = Role::user;
  ContentBlock content;
};

struct GetPromptResult {
  std::optional<std::string> description = {};
  std::vector<PromptMessage> messages;
  std::optional<Payload> _meta = {};
};

struct PromptReference {
  using Tag = json::Tag<"type", "ref/prompt">;
  std::string name;
  std::optional<std::string> title = {};
};

/// Refers to a resource by URI or URI template.
struct ResourceReference {
  using Tag = json::Tag<"type", "ref/resource">;
  std::string uri;
};

struct CompletionArgument {
  std::string name;
  std::string value;
};

struct CompletionContext {
  std::optional<std::map<std::string, std::string>> arguments = {};
};

struct CompleteParams {
  std::variant<PromptReference, ResourceReference> ref;
  CompletionArgument argument;
  std::optional<CompletionContext> context = {};
  std::optional<Payload> _meta = {};
};

/// At most 100 values.
struct Completion {
  std::vector<std::string> values;
  std::optional<std::int64_t> total = {};
  std::optional<bool> hasMore = {};
};

struct CompleteResult {
  Completion completion;
  std::optional<Payload> _meta = {};
};

// NOLINTEND(readability-identifier-naming)
}  // namespace fairlead::protocol

namespace fairlead::json {

template <>
struct Codec<protocol::Prompt> : ExternCodec<protocol::Prompt> {};
template <>
struct Codec<protocol::ListPromptsResult> : ExternCodec<protocol::ListPromptsResult> {};
template <>
struct Codec<protocol::GetPromptParams> : ExternCodec<protocol::GetPromptParams> {};
template <>
struct Codec<protocol::PromptMessage> : ExternCodec<protocol::PromptMessage> {};
template <>
struct Codec<protocol::GetPromptResult> : ExternCodec<protocol::GetPromptResult> {};
template <>
struct Codec<protocol::CompleteParams> : ExternCodec<protocol::CompleteParams> {};
template <>
struct Codec<protocol::CompleteResult> : ExternCodec<protocol::CompleteResult> {};

}  // namespace fairlead::json
