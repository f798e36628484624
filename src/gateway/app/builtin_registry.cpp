#include <fairlead/gateway/registry.hpp>

#include "gateway/middleware/builtin_middleware.hpp"

namespace fairlead::gateway {

Registry Registry::standard() {
  Registry all;
  all.add("allow", allow_entry());
  all.add("auth", auth_entry());
  all.add("breaker", breaker_entry());
  all.add("cache", cache_entry());
  all.add("cli", cli_entry());
  all.add("deny", deny_entry());
  all.add("describe", describe_entry());
  all.add("fault", fault_entry());
  all.add("headers", headers_entry());
  all.add("limit", limit_entry());
  all.add("log", log_entry());
  all.add("lua", lua_entry());
  all.add("pin", pin_entry());
  all.add("redact", redact_entry());
  all.add("rename", rename_entry());
  all.add("retry", retry_entry());
  all.add("search", search_entry());
  all.add("timeout", timeout_entry());
  return all;
}

}  // namespace fairlead::gateway
