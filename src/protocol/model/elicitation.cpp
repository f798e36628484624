#include <fairlead/protocol/model/elicitation.hpp>

#include <fairlead/json/codec/extern_codec_impl.hpp>

namespace fairlead::json {

template struct ExternCodec<protocol::PrimitiveSchema>;
template struct ExternCodec<protocol::ElicitFormParams>;
template struct ExternCodec<protocol::ElicitUrlParams>;
template struct ExternCodec<protocol::ElicitParams>;
template struct ExternCodec<protocol::ElicitResult>;

}  // namespace fairlead::json
