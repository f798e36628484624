#include <fairlead/protocol/model/common.hpp>

#include <fairlead/json/codec/extern_codec_impl.hpp>

namespace fairlead::json {

template struct ExternCodec<protocol::Implementation>;
template struct ExternCodec<protocol::Empty>;
template struct ExternCodec<protocol::PaginatedParams>;

}  // namespace fairlead::json
