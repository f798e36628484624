#pragma once

#include <fairlead/transport/http_client.hpp>
#include <optional>

namespace fairlead::transport {

/// The token source of the options; null if there is none or a fixed token has precedence.
auth::TokenSource* token_source(const HttpClientOptions& options);

/// The credentials of one request. After a 401 or 403 the request was not processed: it is repeated once with another
/// credential, once with more scopes, and once for a DPoP nonce. What the constructor gets outlives this object.
class AuthorizedAttempts {
 public:
  AuthorizedAttempts(const EventLoop& loop, const HttpClientOptions& options)
      : loop_(loop), options_(options), source_(token_source(options)) {}

  /// The credential of the next attempt. Without a token source its token is empty.
  Task<Result<auth::Credential>> credential();
  /// True if another attempt must be made, because `response` refuses `used`; then moves from both.
  bool is_refused(auth::Credential& used, std::unique_ptr<http::ResponseStream>& response);
  /// The same for a response whose body is not needed; moves from `used` only.
  bool is_refused(auth::Credential& used, const http::ClientResponse& head);

 private:
  struct Refusal {
    auth::Challenge challenge;
    auth::Credential used;
    std::unique_ptr<http::ResponseStream> response = {};  // May be null.
  };

  Task<Result<auth::Credential>> other_credential(Refusal refusal);
  bool may_repeat(const auth::Challenge& challenge);

  const EventLoop& loop_;
  const HttpClientOptions& options_;
  auth::TokenSource* source_;
  std::optional<Refusal> refusal_ = {};
  bool credential_left_ = true;
  bool scope_left_ = true;
  bool nonce_left_ = true;
};

/// Opens a request with a credential. `loop`, `client` and `options` outlive the task.
Task<Result<std::unique_ptr<http::ResponseStream>>> open_authorized(const EventLoop& loop, http::Client& client,
                                                                    const HttpClientOptions& options,
                                                                    http::ClientRequest request);

}  // namespace fairlead::transport
