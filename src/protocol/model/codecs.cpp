#include <fairlead/json/codec/extern_codec_impl.hpp>
#include <fairlead/protocol/model/methods.hpp>

namespace fairlead::json {

template struct ExternCodec<protocol::Implementation>;
template struct ExternCodec<protocol::Empty>;
template struct ExternCodec<protocol::PaginatedParams>;
template struct ExternCodec<protocol::ClientCapabilities>;
template struct ExternCodec<protocol::ServerCapabilities>;
template struct ExternCodec<protocol::ResourceContents>;
template struct ExternCodec<protocol::ContentBlock>;
template struct ExternCodec<protocol::ToolResultContent>;
template struct ExternCodec<protocol::PrimitiveSchema>;
template struct ExternCodec<protocol::ElicitFormParams>;
template struct ExternCodec<protocol::ElicitUrlParams>;
template struct ExternCodec<protocol::ElicitParams>;
template struct ExternCodec<protocol::ElicitResult>;
template struct ExternCodec<protocol::InputRequest>;
template struct ExternCodec<protocol::InputRequiredResult>;
template struct ExternCodec<protocol::InitializeParams>;
template struct ExternCodec<protocol::InitializeResult>;
template struct ExternCodec<protocol::DiscoverResult>;
template struct ExternCodec<protocol::CancelledParams>;
template struct ExternCodec<protocol::ProgressParams>;
template struct ExternCodec<protocol::SetLevelParams>;
template struct ExternCodec<protocol::LoggingMessageParams>;
template struct ExternCodec<protocol::SubscriptionsListenParams>;
template struct ExternCodec<protocol::SubscriptionsAcknowledgedParams>;
template struct ExternCodec<protocol::Prompt>;
template struct ExternCodec<protocol::ListPromptsResult>;
template struct ExternCodec<protocol::GetPromptParams>;
template struct ExternCodec<protocol::PromptMessage>;
template struct ExternCodec<protocol::GetPromptResult>;
template struct ExternCodec<protocol::CompleteParams>;
template struct ExternCodec<protocol::CompleteResult>;
template struct ExternCodec<protocol::Resource>;
template struct ExternCodec<protocol::ResourceTemplate>;
template struct ExternCodec<protocol::ListResourcesResult>;
template struct ExternCodec<protocol::ListResourceTemplatesResult>;
template struct ExternCodec<protocol::ReadResourceParams>;
template struct ExternCodec<protocol::ReadResourceResult>;
template struct ExternCodec<protocol::ResourceUriParams>;
template struct ExternCodec<protocol::ListRootsResult>;
template struct ExternCodec<protocol::Tool>;
template struct ExternCodec<protocol::ListToolsResult>;
template struct ExternCodec<protocol::CallToolParams>;
template struct ExternCodec<protocol::CallToolResult>;

}  // namespace fairlead::json
