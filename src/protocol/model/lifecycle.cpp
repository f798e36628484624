#include <fairlead/protocol/model/lifecycle.hpp>

#include <fairlead/json/codec/extern_codec_impl.hpp>

namespace fairlead::json {

template struct ExternCodec<protocol::InitializeParams>;
template struct ExternCodec<protocol::InitializeResult>;
template struct ExternCodec<protocol::DiscoverResult>;
template struct ExternCodec<protocol::CancelledParams>;
template struct ExternCodec<protocol::ProgressParams>;
template struct ExternCodec<protocol::SetLevelParams>;
template struct ExternCodec<protocol::LoggingMessageParams>;
template struct ExternCodec<protocol::SubscriptionsListenParams>;
template struct ExternCodec<protocol::SubscriptionsAcknowledgedParams>;

}  // namespace fairlead::json
