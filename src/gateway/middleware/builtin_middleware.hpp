#pragma once

#include <fairlead/gateway/registry.hpp>

/// Registry entries of the built-in middleware, each in the file of its name.
namespace fairlead::gateway {

using MakeEntry = Registry::Entry();

MakeEntry allow_entry, auth_entry, breaker_entry, cache_entry, cli_entry, deny_entry, describe_entry, fault_entry,
    headers_entry, limit_entry, log_entry, lua_entry, pin_entry, redact_entry, rename_entry, retry_entry, search_entry,
    timeout_entry;

}  // namespace fairlead::gateway
