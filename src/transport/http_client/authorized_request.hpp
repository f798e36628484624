#pragma once

#include <fairlead/transport/http_client.hpp>
#include <utility>

namespace fairlead::transport {

/// The token source of the options; null if there is none or a fixed token has precedence.
auth::TokenSource* token_source(const HttpClientOptions& options);

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

/// Opens a request with a credential of the token source. `make(credential, request)` writes the request of one
/// attempt, with Authorization, and returns a Result<void>. After a 401 or 403 the request was not processed: asks the
/// source for another credential and repeats the request once, and once more for a DPoP nonce. `loop`, `client` and
/// `options` outlive the task.
template <class Make>
Task<Result<std::unique_ptr<http::ResponseStream>>> open_authorized(const EventLoop& loop, http::Client& client,
                                                                    const HttpClientOptions& options, Make make) {
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
    if (head.status != 401 && head.status != 403) co_return opened;
    auto challenge = auth::read_challenge(head);
    if (!repeats.take(challenge)) co_return std::unexpected(source->rejected(challenge));
    auto used = std::move(*credential);
    constexpr std::size_t max_discarded = 64 * 1024;
    co_await (*opened)->rest(max_discarded);
    credential = co_await source->refused(loop, std::move(challenge), std::move(used));
  }
  co_return std::unexpected(std::move(credential.error()));
}

}  // namespace fairlead::transport
