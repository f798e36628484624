#pragma once

#include "gateway/config/read_context.hpp"

/// Configuration keys of opencode, Codex and mcporter.
namespace fairlead::gateway {

/// Where to read a foreign entry from, and the server to read it into.
struct ForeignEntry {
  ReadContext& context;
  const NodeRef& ref;
  ServerConfig& server;
};

/// Reads a member that only these programs have. Returns false for any other key.
bool read_foreign_member(const ForeignEntry& entry, const Node& child);

/// Returns the tree with variables in our syntax: `{env:NAME}` of opencode and `$env:NAME` of mcporter become
/// `${NAME}`.
Node with_own_variables(Node tree);

}  // namespace fairlead::gateway
