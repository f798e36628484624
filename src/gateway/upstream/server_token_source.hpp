#pragma once

#include <fairlead/auth/credential.hpp>
#include <memory>
#include <optional>
#include <string>

#include "base/async_event.hpp"

namespace fairlead::gateway {

/// True for errors of a `ServerTokenSource`: the request was not carried out, because there is no valid credential.
bool is_credential_error(const Error& error);

struct ServerTokenOptions {
  std::string server = {};     ///< Its configured name, for errors.
  std::string command = {};    ///< Signs in, such as `fairlead login git`; empty if only the caller can.
  Duration user_timeout = {};  ///< How long a request waits for a user who is signing in.
};

/// The token source of a server's connections. Signs in at most once at a time, in a task of its own: a request that is
/// waiting for a user fails after `user_timeout` with the link in `data.url`, and the sign-in goes on. Used on one
/// event loop.
class ServerTokenSource final : public auth::TokenSource, public std::enable_shared_from_this<ServerTokenSource> {
 public:
  ServerTokenSource(ServerTokenOptions options, std::shared_ptr<auth::TokenSource> inner)
      : options_(std::move(options)), inner_(std::move(inner)) {}

  Task<Result<auth::Credential>> get(const EventLoop& loop) override;
  Task<Result<auth::Credential>> refused(EventLoop loop, auth::Challenge why, auth::Credential used) override;
  Error rejected(const auth::Challenge& why) const override { return explained(inner_->rejected(why)); }

  /// Called when a user can sign in at `link`.
  void set_link(std::string link);

 private:
  /// A sign-in or refresh in progress.
  struct Renewal {
    explicit Renewal(const EventLoop& loop) : changed(loop.executor) {}
    std::optional<Result<auth::Credential>> result = {};
    std::string link = {};
    AsyncEvent changed;
  };

  std::shared_ptr<Renewal> begin(const EventLoop& loop, auth::Challenge why, auth::Credential used);
  static Task<Result<auth::Credential>> get_slowly(std::shared_ptr<ServerTokenSource> self,
                                                   Task<Result<auth::Credential>> waiting);
  static Task<Result<auth::Credential>> finished(std::shared_ptr<Renewal> renewal, bool or_link);
  Error explained(Error error) const;
  Error link_error(const std::string& link) const;

  ServerTokenOptions options_;
  std::shared_ptr<auth::TokenSource> inner_;
  std::shared_ptr<Renewal> renewal_;
};

}  // namespace fairlead::gateway
