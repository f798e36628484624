#pragma once

#include <fairlead/http/identity.hpp>
#include <string>

namespace fairlead::gateway {

/// A caller as a JSON object, for scripts: principal, issuer, subject, client_id, scopes and claims.
std::string identity_json(const http::Identity& identity);

}  // namespace fairlead::gateway
