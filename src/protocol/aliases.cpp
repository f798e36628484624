#include <fairlead/protocol/aliases.hpp>

#include <algorithm>
#include <array>

namespace fairlead::protocol {
namespace {

constexpr std::array aliases = {
    Alias{"mcp/initialize", "initialize", Dialect::jsonrpc},
    Alias{"mcp/discover", "server/discover", Dialect::jsonrpc},
    Alias{"initialized", "notifications/initialized", Dialect::chain},
};

}  // namespace

const Alias* find_alias(std::string_view spelled) {
  const auto found = std::ranges::find(aliases, spelled, &Alias::spelled);
  return found == aliases.end() ? nullptr : &*found;
}

}  // namespace fairlead::protocol
