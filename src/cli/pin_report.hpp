#pragma once

#include <optional>

#include "cli/definitions.hpp"
#include "gateway/pin/definition.hpp"
#include "gateway/pin/pins.hpp"

namespace fairlead::cli {

// Members of a JSON document.

struct PinnedItem {
  std::string kind;  ///< `tool`, `prompt`, `skill` or `page`.
  std::string name;
  std::string state;  ///< `approved`, `changed`, `new`, `gone` or `not pinned`.
  std::vector<gateway::DefinitionChange> changes = {};

  bool differs() const { return state == "changed" || state == "new" || state == "gone"; }
};

/// A server's definitions compared with the approved ones.
struct PinnedServer {
  std::string server;
  std::string file;  ///< The pin file.
  bool pinned = false;
  std::optional<std::string> error = {};  ///< Why the server did not respond.
  std::vector<PinnedItem> items = {};

  bool differs() const;
};

PinnedServer compare(const ServerDefinitions& now, const gateway::Pins& approved, std::string file);

/// One line with the counts of each state, and one for each item that is not as approved.
std::string show_pin_status(const PinnedServer& server);

/// The differences of one item. A new item is shown completely.
std::string show_changes(const PinnedServer& server, const PinnedItem& item);

/// The description of an item that was not approved yet.
std::string show_description(const PinnedItem& item);

}  // namespace fairlead::cli
