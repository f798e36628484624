#include <fairlead/protocol/model/content.hpp>

#include <fairlead/json/codec/compile.hpp>

namespace fairlead::json {

template struct CompiledOnce<protocol::ResourceContents>;
template struct CompiledOnce<protocol::ContentBlock>;
template struct CompiledOnce<protocol::ToolResultContent>;

}  // namespace fairlead::json
