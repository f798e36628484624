#include <fairlead/protocol/model/resources.hpp>

#include <fairlead/json/codec/compile.hpp>

namespace fairlead::json {

template struct CompiledOnce<protocol::Resource>;
template struct CompiledOnce<protocol::ResourceTemplate>;
template struct CompiledOnce<protocol::ListResourcesResult>;
template struct CompiledOnce<protocol::ListResourceTemplatesResult>;
template struct CompiledOnce<protocol::ReadResourceParams>;
template struct CompiledOnce<protocol::ReadResourceResult>;
template struct CompiledOnce<protocol::ResourceUriParams>;
template struct CompiledOnce<protocol::ListRootsResult>;

}  // namespace fairlead::json
