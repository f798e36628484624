#pragma once

#include <fairlead/protocol/model/content.hpp>
#include <fairlead/protocol/model/tools.hpp>

namespace fairlead::protocol {
// NOLINTBEGIN(readability-identifier-naming): members are spelled as on the wire.

using SamplingBlock = std::variant<TextContent, ImageContent, AudioContent, ToolUseContent, ToolResultContent, Payload>;

/// One content block, or several in revisions that allow tools in sampling.
struct SamplingContent {
  std::vector<SamplingBlock> blocks;
  bool single = true;  ///< Write a single block without an array.
};

struct SamplingMessage {
  static constexpr bool initialisers_are_defaults = false;
  Role role = Role::user;
  SamplingContent content;
  std::optional<Payload> _meta = {};
};

struct ModelHint {
  std::optional<std::string> name = {};
};

/// Priorities are from 0 to 1.
struct ModelPreferences {
  std::optional<std::vector<ModelHint>> hints = {};
  std::optional<double> costPriority = {};
  std::optional<double> speedPriority = {};
  std::optional<double> intelligencePriority = {};
};

enum class IncludeContext : std::uint8_t { none, thisServer, allServers };
enum class ToolChoiceMode : std::uint8_t { auto_, required, none };

struct ToolChoice {
  std::optional<ToolChoiceMode> mode = {};
};

struct CreateMessageParams {
  static constexpr bool initialisers_are_defaults = false;
  std::vector<SamplingMessage> messages;
  std::optional<ModelPreferences> modelPreferences = {};
  std::optional<std::string> systemPrompt = {};
  std::optional<IncludeContext> includeContext = {};
  std::optional<double> temperature = {};
  std::int64_t maxTokens = 0;
  std::optional<std::vector<std::string>> stopSequences = {};
  std::optional<Payload> metadata = {};
  std::optional<std::vector<Tool>> tools = {};
  std::optional<ToolChoice> toolChoice = {};
  std::optional<Payload> task = {};
  std::optional<Payload> _meta = {};
};

struct CreateMessageResult {
  static constexpr bool initialisers_are_defaults = false;
  Role role = Role::assistant;
  SamplingContent content;
  std::string model;
  std::optional<std::string> stopReason = {};
  std::optional<Payload> _meta = {};
};

// NOLINTEND(readability-identifier-naming)
}  // namespace fairlead::protocol

template <>
struct fairlead::json::Codec<fairlead::protocol::SamplingContent> {
  static void write(std::string& out, const protocol::SamplingContent& content);
  static bool read(Decoder& decoder, protocol::SamplingContent& content);
  static void describe(SchemaText& schema);
};

namespace fairlead::json {

template <>
struct Codec<protocol::SamplingBlock> : ExternCodec<protocol::SamplingBlock> {};
template <>
struct Codec<protocol::CreateMessageParams> : ExternCodec<protocol::CreateMessageParams> {};
template <>
struct Codec<protocol::CreateMessageResult> : ExternCodec<protocol::CreateMessageResult> {};

}  // namespace fairlead::json
