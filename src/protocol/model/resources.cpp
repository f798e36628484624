#include <fairlead/protocol/model/resources.hpp>

#include <fairlead/json/codec/extern_codec_impl.hpp>

namespace fairlead::json {

template struct ExternCodec<protocol::Resource>;
template struct ExternCodec<protocol::ResourceTemplate>;
template struct ExternCodec<protocol::ListResourcesResult>;
template struct ExternCodec<protocol::ListResourceTemplatesResult>;
template struct ExternCodec<protocol::ReadResourceParams>;
template struct ExternCodec<protocol::ReadResourceResult>;
template struct ExternCodec<protocol::ResourceUriParams>;
template struct ExternCodec<protocol::ListRootsResult>;

}  // namespace fairlead::json
