#include <fairlead/protocol/model/tools.hpp>

#include <fairlead/json/codec/extern_codec_impl.hpp>

namespace fairlead::json {

template struct ExternCodec<protocol::Tool>;
template struct ExternCodec<protocol::ListToolsResult>;
template struct ExternCodec<protocol::CallToolParams>;
template struct ExternCodec<protocol::CallToolResult>;

}  // namespace fairlead::json
