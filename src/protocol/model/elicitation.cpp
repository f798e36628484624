#include <fairlead/protocol/model/elicitation.hpp>

#include <fairlead/json/codec/compile.hpp>

namespace fairlead::json {

template struct CompiledOnce<protocol::PrimitiveSchema>;
template struct CompiledOnce<protocol::ElicitFormParams>;
template struct CompiledOnce<protocol::ElicitUrlParams>;
template struct CompiledOnce<protocol::ElicitParams>;
template struct CompiledOnce<protocol::ElicitResult>;

}  // namespace fairlead::json
