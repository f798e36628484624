#include <fairlead/protocol/model/input.hpp>

#include <fairlead/json/codec/compile.hpp>

namespace fairlead::json {

template struct CompiledOnce<protocol::InputRequest>;
template struct CompiledOnce<protocol::InputRequiredResult>;

}  // namespace fairlead::json
