#pragma once

#include <fairlead/base/result.hpp>

#include "gateway/config/config.hpp"
#include "gateway/model/list_kind.hpp"

namespace fairlead::gateway {

/// The approved definition of a tool, prompt, skill or page.
struct Pin {
  std::string sha256;
  std::string definition;  ///< See `definition_of`.
};
Pin pin_of(std::string_view item);

/// What can be approved: tools, prompts, skills, and the pages of tools as resources.
inline constexpr std::array pinned_kinds = {ListKind::tools, ListKind::prompts, ListKind::skills, ListKind::resources};

/// Approved definitions of one server, by its own names and URIs.
class ServerPins {
 public:
  using ByName = std::map<std::string, Pin, std::less<>>;

  ByName& of(ListKind kind) { return all_[std::to_underlying(kind)]; }
  const ByName& of(ListKind kind) const { return all_[std::to_underlying(kind)]; }

 private:
  std::array<ByName, all_lists.size()> all_;
};

/// "tool", "skill", "page".
std::string_view pinned_kind_name(ListKind kind);

/// What is approved of a page, from the `contents` of its `resources/read` result: digests of texts and data, and all
/// other members.
std::string page_definition(std::string_view contents);

/// By server name in the configuration.
using Pins = std::map<std::string, ServerPins, std::less<>>;

/// Status of an item compared with the approved definitions.
enum class PinStatus : std::uint8_t {
  unpinned,  ///< Its server has no approved definitions.
  approved,
  changed,
  added,  ///< Not approved, but other definitions of its server are.
  gone,   ///< Approved, but no longer listed by the server.
};
/// Name for display and JSON; `new` for added.
std::string_view name(PinStatus status);

PinStatus pin_status_of(const Pins& pins, std::string_view server, ListKind kind, std::string_view name,
                        std::string_view sha256);

/// True for lists whose items can be approved.
constexpr bool is_pinned(ListKind kind) {
  return is_named(kind) || kind == ListKind::skills;
}

std::string pins_to_json(const Pins& pins);
Result<Pins> pins_from_json(std::string_view text);

/// Returns no pins if the file does not exist. Fails if other users can write it.
Result<Pins> read_pins(const std::string& file);
/// Replaces the file atomically, readable by its owner only. Creates the folder.
Result<void> write_pins(const std::string& file, const Pins& pins);

/// `fairlead/pins.json` in the XDG state folder. Empty if the environment names no such folder: pins can then neither
/// be read nor written, and pinned servers are refused.
std::string default_pins_file();
inline constexpr std::string_view no_pins_file_error =
    "no pin file: neither XDG_STATE_HOME nor HOME is an absolute path. Set one of them, or name a file "
    "(pins: /path/pins.json)";

/// The pin file of a server: that of its `pin` step, of the configuration, or the default.
std::string pins_file(const GatewayConfig& config, const ServerConfig& server);

/// Adds the step `pin` to each server without one if `pins` is set.
GatewayConfig with_pins(GatewayConfig config);

}  // namespace fairlead::gateway
