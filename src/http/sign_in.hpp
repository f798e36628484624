#pragma once

#include <fairlead/http/client.hpp>
#include <string>

namespace fairlead::http {

/// Whether a 401 names the metadata of a protected resource (RFC 9728, section 5.1): its server wants an OAuth sign-in.
bool wants_sign_in(const ClientResponse& response);

/// What to do about it, to stand behind what the server answered.
std::string sign_in_advice();

}  // namespace fairlead::http
