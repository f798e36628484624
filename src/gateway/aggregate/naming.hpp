#pragma once

#include "gateway/config/config.hpp"

namespace fairlead::gateway {

/// The names of one server's tools or prompts, in list order.
struct UpstreamNames {
  std::string server;  ///< Unique name of the server.
  std::string prefix =
      {};  ///< Replaces the server's name as prefix; characters that tool names may not contain become `_`.
  std::vector<std::string> names = {};
};

/// Why the name for clients differs from the upstream name.
enum class NameChange : std::uint8_t {
  none,
  prefixed,       ///< Another server uses the same name, or the policy requires a prefix.
  disambiguated,  ///< The name was used twice: a suffix was added.
  truncated,      ///< Longer than `max_length`.
  hidden,         ///< An earlier item has the name.
};

struct ClientName {
  std::size_t server = 0;  ///< Index of the server.
  std::size_t item = 0;    ///< Index into the server's names.
  std::string name = {};   ///< For a hidden item, the name that it would have.
  NameChange change = NameChange::none;
};

/// Assigns a client name to each upstream name; they are unique except for hidden ones.
///
/// A pure function. If two names collide, both get a suffix derived from server and upstream name, so a server cannot
/// take over another's name by its choice of names.
std::vector<ClientName> client_names(const std::vector<UpstreamNames>& servers, const NamingConfig& rules);

/// Replaces every character outside `[A-Za-z0-9_.-]` by `_`.
std::string clean_prefix(std::string_view text);

}  // namespace fairlead::gateway
