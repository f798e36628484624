#include <fairlead/protocol/model/content.hpp>

#include <fairlead/json/codec/extern_codec_impl.hpp>

namespace fairlead::json {

template struct ExternCodec<protocol::ResourceContents>;
template struct ExternCodec<protocol::ContentBlock>;
template struct ExternCodec<protocol::ToolResultContent>;

}  // namespace fairlead::json
