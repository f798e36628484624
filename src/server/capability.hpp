#pragma once

#include <fairlead/protocol/model/capabilities.hpp>
#include <fairlead/server/ask.hpp>
#include <optional>
#include <string>

namespace fairlead::server {

/// An elicitation capability that names no mode means forms.
bool has_form(const protocol::ClientCapabilities& capabilities);
bool has_url(const protocol::ClientCapabilities& capabilities);

/// What a client must declare, as JSON, before it may be asked this; nothing if it did.
std::optional<std::string> lacking(const Question& question, const protocol::ClientCapabilities& capabilities);

}  // namespace fairlead::server
