#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/definitions.hpp"
#include "gateway/pin/definition.hpp"
#include "gateway/pin/pins.hpp"

namespace fairlead::cli {

// Members of a JSON document.

struct PinnedItem {
  std::string kind;  ///< `tool` or `prompt`.
  std::string name;
  std::string state;  ///< `approved`, `changed`, `new`, `gone` or `not pinned`.
  std::vector<gateway::DefinitionChange> changes = {};

  bool differs() const { return state == "changed" || state == "new" || state == "gone"; }
};

/// A server, held against what was approved of it.
struct PinnedServer {
  std::string server;
  std::string file;  ///< Where that is written.
  bool pinned = false;
  std::optional<std::string> trouble = {};  ///< Why it could not be asked.
  std::vector<PinnedItem> items = {};

  bool differs() const;
};

PinnedServer compare(const Definitions& now, const gateway::Pins& approved, std::string file);

/// A line with how many are approved, changed and so on, and one for each that is not as approved.
std::string show_standing(const PinnedServer& server);

/// What differs, so that it can be read. Of what is new, the whole of it.
std::string show_changes(const PinnedServer& server, const PinnedItem& item);

/// What a model is told of something that nobody has looked at.
std::string show_description(const PinnedItem& item);

/// Two texts as one: `Adds [-two-]{+three+} numbers`. What cannot be seen is shown by its number.
std::string show_words(std::string_view before, std::string_view after);

}  // namespace fairlead::cli
