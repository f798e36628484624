#include <fairlead/protocol/model/input.hpp>

#include <fairlead/json/codec/extern_codec_impl.hpp>

namespace fairlead::json {

template struct ExternCodec<protocol::InputRequest>;
template struct ExternCodec<protocol::InputRequiredResult>;

}  // namespace fairlead::json
