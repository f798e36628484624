#pragma once

#include <fairlead/gateway/registry.hpp>

/// Registry entries of the built-in middleware, each in the file of its name.
namespace fairlead::gateway {

Registry::Entry allow_entry();
Registry::Entry auth_entry();
Registry::Entry breaker_entry();
Registry::Entry cache_entry();
Registry::Entry cli_entry();
Registry::Entry deny_entry();
Registry::Entry describe_entry();
Registry::Entry fault_entry();
Registry::Entry headers_entry();
Registry::Entry limit_entry();
Registry::Entry log_entry();
Registry::Entry lua_entry();
Registry::Entry pin_entry();
Registry::Entry redact_entry();
Registry::Entry rename_entry();
Registry::Entry retry_entry();
Registry::Entry search_entry();
Registry::Entry timeout_entry();

}  // namespace fairlead::gateway
