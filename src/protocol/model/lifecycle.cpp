#include <fairlead/protocol/model/lifecycle.hpp>

#include <fairlead/json/codec/compile.hpp>

namespace fairlead::json {

template struct CompiledOnce<protocol::InitializeParams>;
template struct CompiledOnce<protocol::InitializeResult>;
template struct CompiledOnce<protocol::DiscoverResult>;
template struct CompiledOnce<protocol::CancelledParams>;
template struct CompiledOnce<protocol::ProgressParams>;
template struct CompiledOnce<protocol::SetLevelParams>;
template struct CompiledOnce<protocol::LoggingMessageParams>;
template struct CompiledOnce<protocol::SubscriptionsListenParams>;
template struct CompiledOnce<protocol::SubscriptionsAcknowledgedParams>;

}  // namespace fairlead::json
