#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/json/payload.hpp>
#include <fairlead/protocol/model/capabilities.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace fairlead::protocol {

/// Whether a client takes forms: an elicitation capability that names no mode means forms.
bool takes_forms(const ClientCapabilities& capabilities);
/// Whether a client opens pages for its user.
bool takes_urls(const ClientCapabilities& capabilities);

/// The client capability, as JSON, that a request of a server needs and the client did not declare. Nothing if it did,
/// or if the request needs none.
std::optional<std::string> undeclared_capability(std::string_view method, const json::Payload& params,
                                                 const ClientCapabilities& declared);

/// For the server: why its request did not reach the client. Its text travels as it is.
Error undeclared_error(const std::string& method, const std::string& capability);

}  // namespace fairlead::protocol
