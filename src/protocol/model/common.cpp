#include <fairlead/protocol/model/common.hpp>

#include <fairlead/json/codec/compile.hpp>

namespace fairlead::json {

template struct CompiledOnce<protocol::Implementation>;
template struct CompiledOnce<protocol::Empty>;
template struct CompiledOnce<protocol::PaginatedParams>;

}  // namespace fairlead::json
