#pragma once

#include <fairlead/http/client.hpp>

#include "http/url.hpp"

namespace fairlead::http {

/// True if the response redirects this request. A POST is only redirected with 307 or 308.
bool is_redirect(const ClientResponse& response, const ClientRequest& request);

/// Returns the target and adapts `request` to it: another origin receives no credentials. `refused` if the redirect is
/// not allowed.
Result<Url> redirect(const ClientResponse& response, const Url& from, ClientRequest& request);

}  // namespace fairlead::http
