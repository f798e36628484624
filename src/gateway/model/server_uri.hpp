#pragma once

#include <fairlead/json/payload.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace fairlead::gateway {

/// URIs of skills and of pages are a server's own: two servers may have the same skill. Behind several servers they
/// contain the server: `skill://pdf/SKILL.md` of the server git is `skill://git/pdf/SKILL.md`.

/// Whether URIs of this scheme contain the server: `skill://` and `ui://`.
bool names_its_server(std::string_view uri);

/// Puts the server in front; returns other URIs unchanged.
std::string add_server_name(std::string_view uri, std::string_view server);

/// Whether add_server_name() has made the URI for this server.
bool has_server_name(std::string_view uri, std::string_view server);

/// The URI at the server; `uri` itself unless has_server_name().
std::string remove_server_name(std::string_view uri, std::string_view server);

/// Puts the server in front of all such URIs in a result: of items, contents, links, embedded resources, and the marks
/// of tools. Texts, structured content, front matter and schemas stay as they are.
json::Payload add_server_names(json::Payload result, std::string_view server);

}  // namespace fairlead::gateway
