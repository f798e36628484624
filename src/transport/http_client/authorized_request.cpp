#include "transport/http_client/authorized_request.hpp"

#include <utility>

#include "http/url.hpp"

namespace fairlead::transport {
namespace {

bool is_declined(std::uint16_t status) {
  return status == 401 || status == 403;
}

bool has_authorization(const HttpClientOptions& options) {
  for (const auto& header : options.headers) {
    if (protocol::same_header(header.name, "Authorization")) return true;
  }
  return !options.bearer.empty();
}

/// Decides whether a refused request is repeated: once with another credential, once with more scopes, and once for a
/// nonce.
struct Repeats {
  bool credential = true;
  bool scope = true;
  bool nonce = true;

  bool take(const auth::Challenge& challenge) {
    if (challenge.error == "use_dpop_nonce") return std::exchange(nonce, false);
    return std::exchange(challenge.status == 403 ? scope : credential, false);
  }
};

}  // namespace

auth::TokenSource* token_source(const HttpClientOptions& options) {
  return options.tokens && !has_authorization(options) ? options.tokens.get() : nullptr;
}

Task<Result<std::unique_ptr<http::ResponseStream>>> open_authorized(const EventLoop& loop, http::Client& client,
                                                                    const HttpClientOptions& options,
                                                                    MakeRequest make) {
  auto* const source = options.tokens.get();
  auto credential = co_await source->get(loop);
  Repeats repeats;
  while (credential) {
    http::ClientRequest request;
    if (auto made = make(*credential, request); !made) co_return std::unexpected(std::move(made.error()));
    auto opened = co_await client.open(std::move(request));
    if (!opened) co_return opened;
    const auto& head = (*opened)->head();
    if (credential->dpop) credential->dpop->observe(options.url, head);
    if (!is_declined(head.status)) co_return opened;
    auto challenge = auth::read_challenge(head);
    if (!repeats.take(challenge)) co_return std::unexpected(source->rejected(challenge));
    auto used = std::move(*credential);
    constexpr std::size_t max_refusal = 64 * 1024;
    co_await (*opened)->rest(max_refusal);
    credential = co_await source->refused(loop, std::move(challenge), std::move(used));
  }
  co_return std::unexpected(std::move(credential.error()));
}

}  // namespace fairlead::transport
