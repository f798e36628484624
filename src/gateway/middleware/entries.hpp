#pragma once

#include <fairlead/gateway/registry.hpp>

/// What the registry knows from the beginning, each from the file of its name.
namespace fairlead::gateway {

Registry::Entry timeout_entry();

}  // namespace fairlead::gateway
