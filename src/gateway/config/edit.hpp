#pragma once

#include <fairlead/base/result.hpp>
#include <string>

#include "gateway/config/load.hpp"

/// Changes one server in somebody's file and leaves the rest as it is: its order, its comments, its indentation.
///
/// Every edit is read again before it is handed out. Where the file is written in a way that does not allow it, the
/// error says so, and what to write by hand.
namespace fairlead::gateway {

/// The new text. Of the server: its command, env and cwd, or its url and headers, as they are: variables are filled in
/// when the file is read. A file without text is begun, as YAML if it is called so.
Result<std::string> add_server(const Document& file, const ServerConfig& server);

Result<std::string> remove_server(const Document& file, const std::string& name);

}  // namespace fairlead::gateway
