#pragma once

#include "server/registry.hpp"

namespace fairlead::server {

/// List entries of a resource and of a template.
protocol::Resource resource_definition(const RegisteredResource& resource);
protocol::ResourceTemplate template_definition(const RegisteredResource& resource);

/// True if the result must be wrapped as `{"result": …}`, because the revision allows only objects.
bool is_wrapped(const RegisteredTool& tool, const session::Call& call);
/// The list entry of a tool, in the revision of the call.
protocol::Tool tool_definition(const RegisteredTool& tool, const session::Call& call);

}  // namespace fairlead::server
