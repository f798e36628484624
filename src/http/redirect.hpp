#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/http/client.hpp>

#include "http/url.hpp"

namespace fairlead::http {

/// Whether an answer sends this request elsewhere. A POST is only sent on where the server says that it stays one.
bool is_redirect(const ClientResponse& response, const ClientRequest& request);

/// Where it goes, and `request` as it may go there: another origin learns nothing that could identify the caller.
/// `refused` if it must not go there.
Result<Url> redirect(const ClientResponse& response, const Url& from, ClientRequest& request);

}  // namespace fairlead::http
