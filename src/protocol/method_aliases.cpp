#include <fairlead/protocol/method_aliases.hpp>

#include <algorithm>
#include <array>

namespace fairlead::protocol {
namespace {

constexpr std::array aliases = {
    MethodAlias{"mcp/initialize", "initialize", ErrorDialect::jsonrpc},
    MethodAlias{"mcp/discover", "server/discover", ErrorDialect::jsonrpc},
    MethodAlias{"initialized", "notifications/initialized", ErrorDialect::chain},
};

}  // namespace

const MethodAlias* find_alias(std::string_view name) {
  const auto found = std::ranges::find(aliases, name, &MethodAlias::name);
  return found == aliases.end() ? nullptr : &*found;
}

}  // namespace fairlead::protocol
