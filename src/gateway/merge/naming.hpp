#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/config/config.hpp"

namespace fairlead::gateway {

/// What one server calls its tools, or its prompts, in the order of its list.
struct InsideNames {
  std::string server;       ///< No other has it.
  std::string prefix = {};  ///< Instead of the server's name; cleaned of what a tool's name may not hold.
  std::vector<std::string> names = {};
};

/// Why something is not called as its server calls it, or not at all.
enum class NameChange : std::uint8_t {
  none,
  prefixed,  ///< Another server has the same name, or the policy wants it.
  twisted,   ///< What it would be called, something else would be called too: a tail tells them apart.
  cut,       ///< It was longer than the budget.
  hidden,    ///< Somebody before it has the name.
};

struct OutsideName {
  std::size_t server = 0;  ///< Index into what was given.
  std::size_t item = 0;    ///< Index into the server's names.
  std::string name = {};   ///< What it would have been called, if it is hidden.
  NameChange change = NameChange::none;
};

/// One outside name for every inside name, no two the same but for the hidden ones.
///
/// Depends on nothing but its arguments. Where two would be called the same, both get a tail that follows from the
/// server's name and the inside name: nobody can take over a name by choosing his own.
std::vector<OutsideName> outside_names(const std::vector<InsideNames>& servers, const MergeConfig& rules);

/// Everything outside `[A-Za-z0-9_.-]` becomes `_`.
std::string clean_prefix(std::string_view text);

}  // namespace fairlead::gateway
