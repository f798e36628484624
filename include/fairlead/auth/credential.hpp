#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <fairlead/http/client.hpp>

namespace fairlead::auth {

/// Values of `Error::cause` of this layer.
inline constexpr std::uint8_t cause_sign_in_needed = 101;
inline constexpr std::uint8_t cause_insufficient_scope = 102;
inline constexpr std::uint8_t cause_registration_refused = 103;
inline constexpr std::uint8_t cause_issuer_changed = 104;
inline constexpr std::uint8_t cause_token_refused = 105;

/// Makes DPoP proofs (RFC 9449) with one key and keeps the newest nonce of each origin. Used on one event loop.
class DpopProver {
 public:
  virtual ~DpopProver() = default;

  /// A proof for one request. `token` is empty for a token request.
  virtual Result<std::string> proof(std::string_view method, std::string_view url, std::string_view token) = 0;
  /// Keeps the DPoP-Nonce header of a response from `url`, if it has one.
  virtual void observe(std::string_view url, const http::ClientResponse& response) = 0;
};

/// What authorizes requests to one resource. Prepared request heads are valid for one generation.
struct Credential {
  std::string_view scheme = {};  ///< `Bearer` or `DPoP`: a literal.
  std::string token = {};        ///< Empty for none.
  std::uint64_t generation = 0;
  std::shared_ptr<DpopProver> dpop = {};  ///< If set, every request needs a proof of its own.
};

/// Appends Authorization and, with DPoP, a proof.
Result<void> add_authorization(std::vector<http::Header>& headers, const Credential& credential,
                               std::string_view method, std::string_view url);

/// What a 401 or 403 response says: the challenges of all WWW-Authenticate headers for Bearer and DPoP together.
struct Challenge {
  std::uint16_t status = 0;
  bool bearer = false;  ///< There is a Bearer challenge.
  bool dpop = false;    ///< There is a DPoP challenge.
  std::string resource_metadata = {};
  std::string scope = {};
  std::string error = {};
  std::string error_description = {};
  bool from_private_address = false;  ///< The server is on a private network or on this machine.
};

Challenge read_challenge(const http::ClientResponse& response);

/// Supplies the credential for one server. Shared by the server's connections of one event loop.
class TokenSource {
 public:
  virtual ~TokenSource() = default;

  /// Returns the current credential; its token is empty if there is none yet. May refresh. `loop` is valid until the
  /// task ends.
  virtual Task<Result<Credential>> get(const EventLoop& loop) = 0;

  /// Called after a 401 or 403 for `used`. Returns a credential to repeat the request with, or the error for the
  /// caller. May refresh, and may sign in.
  virtual Task<Result<Credential>> refused(EventLoop loop, Challenge why, Credential used) = 0;

  /// The error for a request that was refused again with the credential of refused().
  virtual Error rejected(const Challenge& why) const;
};

/// A token that does not change. A refusal is an error.
std::shared_ptr<TokenSource> fixed_token(std::string bearer);

}  // namespace fairlead::auth
