#pragma once

#include "config/field_codec.hpp"
#include "gateway/config/fields.hpp"

/// Reads and prints `servers.<name>.auth` and `vault`.
namespace fairlead::gateway {

/// A map, or the word `oauth` for OAuth with its defaults.
struct ServerAuthCodec : config::FieldCodec<ServerAuthConfig> {
  static void read(config::ReadContext& context, const config::NodeRef& ref, ServerAuthConfig& into);
};

/// Reads `auth` as Cursor writes it, and `oauth` as Claude Code does. False for a block that is neither.
bool read_foreign_auth(config::ReadContext& context, const config::NodeRef& ref, ServerAuthConfig& into);

}  // namespace fairlead::gateway

namespace fairlead::config {

template <>
const FieldList<gateway::IdentityProviderConfig> Fields<gateway::IdentityProviderConfig>::all;
template <>
const FieldList<gateway::OAuthConfig> Fields<gateway::OAuthConfig>::all;
template <>
const FieldList<gateway::ServerAuthConfig> Fields<gateway::ServerAuthConfig>::all;
template <>
const FieldList<gateway::VaultConfig> Fields<gateway::VaultConfig>::all;

}  // namespace fairlead::config
