#pragma once

#include <fairlead/transport/http_client.hpp>
#include <functional>

namespace fairlead::transport {

/// Writes the request for one attempt, with Authorization for the credential.
using MakeRequest = std::function<Result<void>(const auth::Credential& credential, http::ClientRequest& request)>;

/// The token source of the options; null if there is none or a fixed token has precedence.
auth::TokenSource* token_source(const HttpClientOptions& options);

/// Opens a request with a credential of the token source. After a 401 or 403 the request was not processed: asks the
/// source for another credential and repeats the request once, and once more for a DPoP nonce. `loop`, `client` and
/// `options` outlive the task.
Task<Result<std::unique_ptr<http::ResponseStream>>> open_authorized(const EventLoop& loop, http::Client& client,
                                                                    const HttpClientOptions& options, MakeRequest make);

}  // namespace fairlead::transport
