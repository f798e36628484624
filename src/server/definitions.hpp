#pragma once

#include "server/registry.hpp"

namespace fairlead::server {

/// A resource and a template as their lists show them.
protocol::Resource resource_definition(const Resource& resource);
protocol::ResourceTemplate template_definition(const Resource& resource);

}  // namespace fairlead::server
