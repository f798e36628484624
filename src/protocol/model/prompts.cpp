#include <fairlead/protocol/model/prompts.hpp>

#include <fairlead/json/codec/extern_codec_impl.hpp>

namespace fairlead::json {

template struct ExternCodec<protocol::Prompt>;
template struct ExternCodec<protocol::ListPromptsResult>;
template struct ExternCodec<protocol::GetPromptParams>;
template struct ExternCodec<protocol::PromptMessage>;
template struct ExternCodec<protocol::GetPromptResult>;
template struct ExternCodec<protocol::CompleteParams>;
template struct ExternCodec<protocol::CompleteResult>;

}  // namespace fairlead::json
