#pragma once

#include <cstdint>
#include <fairlead/base/result.hpp>
#include <map>
#include <string>
#include <string_view>

#include "gateway/config/config.hpp"
#include "gateway/merge/list_kind.hpp"

namespace fairlead::gateway {

/// One tool or prompt, as somebody has approved it.
struct Pin {
  std::string sha256;
  std::string definition;  ///< See `definition_of`.
};
Pin pin_of(std::string_view item);

/// What was approved of one server, by the names that it uses.
struct ServerPins {
  std::map<std::string, Pin, std::less<>> tools = {};
  std::map<std::string, Pin, std::less<>> prompts = {};

  auto& of(ListKind kind) { return kind == ListKind::tools ? tools : prompts; }
  const auto& of(ListKind kind) const { return kind == ListKind::tools ? tools : prompts; }
};

/// By the servers' names in the configuration.
using Pins = std::map<std::string, ServerPins, std::less<>>;

/// How something stands to what was approved.
enum class Standing : std::uint8_t {
  unpinned,  ///< Nothing of its server was approved.
  approved,
  changed,
  fresh,  ///< Others of its server were.
  gone,   ///< It was, and the server has it no more.
};
/// For people and JSON: `new` for what is fresh.
std::string_view name(Standing standing);

Standing standing_of(const Pins& pins, std::string_view server, ListKind kind, std::string_view name,
                     std::string_view sha256);

/// Lists of which things can be approved.
constexpr bool is_pinned(ListKind kind) {
  return is_named(kind);
}

std::string pins_to_json(const Pins& pins);
Result<Pins> pins_from_json(std::string_view text);

/// None if there is no such file. Refuses one that somebody else could have written.
Result<Pins> read_pins(const std::string& file);
/// Puts the file in place as a whole, readable by its owner alone, in a folder that is made if need be.
Result<void> write_pins(const std::string& file, const Pins& pins);

/// `fairlead/pins.json` in the folder for what programs remember. Empty if the environment names no such folder: then
/// pins can be neither read nor written, and nothing passes that should be compared with them.
std::string default_pins_file();
inline constexpr std::string_view no_place_for_pins =
    "no file of pins: neither XDG_STATE_HOME nor HOME is an absolute path. Set one of them, or name a file "
    "(pins: /path/pins.json)";

/// Which file says what was approved of a server: that of the step before it, of the configuration, or the default.
std::string pins_file(const GatewayConfig& config, const ServerConfig& server);

/// The configuration with the step `pin` before every server, where it says `pins` and the server has no such step.
GatewayConfig with_pins(GatewayConfig config);

}  // namespace fairlead::gateway
