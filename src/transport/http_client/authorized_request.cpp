#include "transport/http_client/authorized_request.hpp"

#include <utility>

namespace fairlead::transport {
namespace {

bool has_authorization(const HttpClientOptions& options) {
  for (const auto& header : options.headers) {
    if (protocol::same_header(header.name, "Authorization")) return true;
  }
  return !options.bearer.empty();
}

}  // namespace

auth::TokenSource* token_source(const HttpClientOptions& options) {
  return options.tokens && !has_authorization(options) ? options.tokens.get() : nullptr;
}

Task<Result<auth::Credential>> AuthorizedAttempts::credential() {
  if (refusal_) return other_credential(*std::exchange(refusal_, std::nullopt));
  if (source_) return source_->get(loop_);
  return auth::Credential();
}

bool AuthorizedAttempts::is_refused(auth::Credential& used, std::unique_ptr<http::ResponseStream>& response) {
  if (!is_refused(used, response->head())) return false;
  refusal_->response = std::move(response);
  return true;
}

bool AuthorizedAttempts::is_refused(auth::Credential& used, const http::ClientResponse& head) {
  if (!source_) return false;
  if (used.dpop) used.dpop->observe(options_.url, head);
  if (head.status != 401 && head.status != 403) return false;
  refusal_.emplace(Refusal{.challenge = auth::read_challenge(head), .used = std::move(used)});
  return true;
}

Task<Result<auth::Credential>> AuthorizedAttempts::other_credential(Refusal refusal) {
  if (!may_repeat(refusal.challenge)) co_return std::unexpected(source_->rejected(refusal.challenge));
  constexpr std::size_t max_discarded = 64 * 1024;
  if (refusal.response) co_await refusal.response->rest(max_discarded);
  co_return co_await source_->refused(loop_, std::move(refusal.challenge), std::move(refusal.used));
}

bool AuthorizedAttempts::may_repeat(const auth::Challenge& challenge) {
  if (challenge.error == "use_dpop_nonce") return std::exchange(nonce_left_, false);
  return std::exchange(challenge.status == 403 ? scope_left_ : credential_left_, false);
}

Task<Result<std::unique_ptr<http::ResponseStream>>> open_authorized(const EventLoop& loop, http::Client& client,
                                                                    const HttpClientOptions& options,
                                                                    http::ClientRequest request) {
  AuthorizedAttempts attempts(loop, options);
  while (true) {
    auto credential = co_await attempts.credential();
    if (!credential) co_return std::unexpected(std::move(credential.error()));
    auto attempt = request;
    auto added = auth::add_authorization(attempt.headers, *credential, attempt.method, attempt.url);
    if (!added) co_return std::unexpected(std::move(added.error()));
    auto opened = co_await client.open(std::move(attempt));
    if (!opened || !attempts.is_refused(*credential, *opened)) co_return opened;
  }
}

}  // namespace fairlead::transport
