#pragma once

#include <fairlead/protocol/model/capabilities.hpp>
#include <fairlead/protocol/revision.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace fairlead::protocol {

/// A method and the member of its params that the `Mcp-Name` header repeats.
struct NamedMethod {
  std::string_view method;
  std::string_view member;
};

/// What an extension adds to the protocol. Peers declare it in `capabilities.extensions`. All texts must live as long
/// as the process; string literals do.
///
///     protocol::Extension clock;
///     clock.id = "com.example/clock";
///     clock.client_requests = {"clock/set"};
///     clock.mcp_names = {{"clock/set", "zone"}};
///     protocol::register_extension(clock);
struct Extension : MethodTable {
  std::string_view id;
  std::optional<Lifecycle> lifecycle = {};  ///< The era in which the extension exists; nothing for both.
  std::vector<NamedMethod> mcp_names = {};

  bool exists_in(const Revision& revision) const { return !lifecycle || *lifecycle == revision.lifecycle; }
};

/// Identifiers of the official extensions that have methods or settings here.
namespace extension {
inline constexpr std::string_view tasks = "io.modelcontextprotocol/tasks";
inline constexpr std::string_view skills = "io.modelcontextprotocol/skills";
inline constexpr std::string_view ui = "io.modelcontextprotocol/ui";
}  // namespace extension

/// The official extensions, then the registered ones. The elements stay valid. Thread-safe.
std::span<const Extension> extensions();

/// Returns null for an unknown identifier.
const Extension* find_extension(std::string_view id);

/// The extension that has this request of a client; null if none has.
const Extension* extension_of_request(std::string_view method);

/// Makes an extension known to all sessions of the process: its methods pass in its era and are refused in the other.
/// Thread-safe; requests that arrive later use it, so register at the start of the program. Extensions cannot be
/// removed. Throws std::invalid_argument if the identifier is not of the form `vendor-prefix/name` or is already known.
void register_extension(Extension extension);

/// True if the revision, or an extension that exists in it, has the method. Also true for a method that neither a
/// revision nor an extension knows: the service decides.
bool may_exist(MethodSet MethodTable::* direction, const Revision& revision, std::string_view method);

/// True if a revision or an extension has this request of a client.
bool is_known_request(std::string_view method);

/// True if results of the method have cache hints.
bool is_cacheable(const Revision& revision, std::string_view method);

bool declares_extension(const std::optional<Settings>& extensions, std::string_view id);

}  // namespace fairlead::protocol
