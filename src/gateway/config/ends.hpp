#pragma once

#include <string_view>

#include "gateway/config/reading.hpp"

/// The two ends of a chain, as one line names them.
namespace fairlead::gateway {

/// `http://[host]:port[/base]`, `stdio`, `unix:/path`.
bool is_front(std::string_view text);
/// `stdio:<command>`, or a URL.
bool is_upstream(std::string_view text);

/// Turns on that one way in, and the others off.
void read_front(Reading& reading, const Place& place, ListenConfig& into);
/// Where a server is; `place` is that of the server.
void read_upstream(Reading& reading, const Place& place, ServerConfig& into);

/// What is wrong with the URL of a server; `shown` is the URL as it may be repeated.
Result<void> check_server_url(std::string_view url, std::string_view shown);

}  // namespace fairlead::gateway
