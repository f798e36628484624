#include <fairlead/protocol/model/capabilities.hpp>

#include <fairlead/json/codec/compile.hpp>

namespace fairlead::json {

template struct CompiledOnce<protocol::ClientCapabilities>;
template struct CompiledOnce<protocol::ServerCapabilities>;

}  // namespace fairlead::json
