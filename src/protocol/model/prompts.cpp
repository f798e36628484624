#include <fairlead/protocol/model/prompts.hpp>

#include <fairlead/json/codec/compile.hpp>

namespace fairlead::json {

template struct CompiledOnce<protocol::Prompt>;
template struct CompiledOnce<protocol::ListPromptsResult>;
template struct CompiledOnce<protocol::GetPromptParams>;
template struct CompiledOnce<protocol::PromptMessage>;
template struct CompiledOnce<protocol::GetPromptResult>;
template struct CompiledOnce<protocol::CompleteParams>;
template struct CompiledOnce<protocol::CompleteResult>;

}  // namespace fairlead::json
