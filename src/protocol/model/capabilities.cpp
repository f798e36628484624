#include <fairlead/protocol/model/capabilities.hpp>

#include <fairlead/json/codec/extern_codec_impl.hpp>

namespace fairlead::json {

template struct ExternCodec<protocol::ClientCapabilities>;
template struct ExternCodec<protocol::ServerCapabilities>;

}  // namespace fairlead::json
