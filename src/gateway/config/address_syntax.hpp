#pragma once

#include "config/read_context.hpp"
#include "gateway/config/config.hpp"

/// Addresses in one line of text: where a gateway listens, and where a server is.
namespace fairlead::gateway {

/// `http://[host]:port[/base]`, `stdio`, `unix:/path`.
bool is_listen_address(std::string_view text);
/// `stdio:<command>`, or a URL.
bool is_server_address(std::string_view text);

/// Enables the listener that the address names, and disables the others.
void read_listen_address(config::ReadContext& context, const config::NodeRef& ref, ListenConfig& into);
/// Sets the command or the URL of a server. `ref` refers to the server's entry.
void read_server_address(config::ReadContext& context, const config::NodeRef& ref, ServerConfig& into);

/// Checks the URL of a server. An error quotes `shown`, the URL before variables were expanded.
Result<void> check_server_url(std::string_view url, std::string_view shown);

}  // namespace fairlead::gateway
