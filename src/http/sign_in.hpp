#pragma once

#include <fairlead/http/client.hpp>

namespace fairlead::http {

/// True if a 401 names protected resource metadata (RFC 9728, section 5.1): the server requires OAuth.
bool wants_sign_in(const ClientResponse& response);

/// Advice to append to the error text.
std::string sign_in_advice();

}  // namespace fairlead::http
