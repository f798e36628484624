#pragma once

#include "config/read_context.hpp"
#include "gateway/config/config.hpp"

/// Configuration keys of opencode, Codex and mcporter.
namespace fairlead::gateway {

/// Where to read a foreign entry from, and the server to read it into.
struct ForeignEntry {
  config::ReadContext& context;
  const config::NodeRef& ref;
  ServerConfig& server;
};

/// Reads a member that only these programs have. Returns false for any other key.
bool read_foreign_member(const ForeignEntry& entry, const config::Node& child);

/// Returns the tree with variables in our syntax: `{env:NAME}` of opencode and `$env:NAME` of mcporter become
/// `${NAME}`.
config::Node with_own_variables(config::Node tree);

}  // namespace fairlead::gateway
