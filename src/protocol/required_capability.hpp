#pragma once

#include <fairlead/json/payload.hpp>
#include <fairlead/protocol/model/capabilities.hpp>

namespace fairlead::protocol {

/// True if a client supports form elicitation; an elicitation capability without a mode means forms.
bool supports_form_elicitation(const ClientCapabilities& capabilities);
/// True if a client can open a URL for the user.
bool supports_url_elicitation(const ClientCapabilities& capabilities);

/// The client capability, as JSON, that a server's request needs and the client did not declare. Nothing if the client
/// declared it or the request needs none.
std::optional<std::string> undeclared_capability(std::string_view method, const json::Payload& params,
                                                 const ClientCapabilities& declared);

/// The error for a client whose request needs an extension that it did not declare.
Error undeclared_extension(std::string_view id);

/// The error for the server whose request needs an undeclared capability. Its text is sent unchanged.
Error undeclared_error(const std::string& method, const std::string& capability);

}  // namespace fairlead::protocol
