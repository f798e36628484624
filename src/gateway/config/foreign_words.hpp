#pragma once

#include "gateway/config/reading.hpp"

/// What opencode, Codex and mcporter write that others do not.
namespace fairlead::gateway {

/// Where a foreign member is read, and into what.
struct ForeignEntry {
  Reading& reading;
  const Place& place;
  ServerConfig& server;
};

/// Reads a member that only these programs know. False for others.
bool read_foreign_member(const ForeignEntry& entry, const Node& child);

/// The same tree with variables in our spelling: `{env:NAME}` of opencode and `$env:NAME` of mcporter become `${NAME}`.
Node with_our_variables(Node tree);

}  // namespace fairlead::gateway
