#include <fairlead/protocol/model/tools.hpp>

#include <fairlead/json/codec/compile.hpp>

namespace fairlead::json {

template struct CompiledOnce<protocol::Tool>;
template struct CompiledOnce<protocol::ListToolsResult>;
template struct CompiledOnce<protocol::CallToolParams>;
template struct CompiledOnce<protocol::CallToolResult>;

}  // namespace fairlead::json
