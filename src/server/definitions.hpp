#pragma once

#include "server/registry.hpp"

namespace fairlead::server {

/// A resource and a template as their lists show them.
protocol::Resource resource_definition(const Resource& resource);
protocol::ResourceTemplate template_definition(const Resource& resource);

/// Whether a caller of this revision gets the tool's result as `{"result": …}`: it takes objects only.
bool is_wrapped(const Tool& tool, const session::Call& call);
/// A tool as its list shows it to this caller.
protocol::Tool tool_definition(const Tool& tool, const session::Call& call);

}  // namespace fairlead::server
