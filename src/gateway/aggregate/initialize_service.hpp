#pragma once

#include <fairlead/client/options.hpp>
#include <fairlead/session/service.hpp>
#include <functional>
#include <optional>

#include "gateway/model/backend_lookup.hpp"

namespace fairlead::gateway {

/// Returns the description of a server for a caller.
using Describe = std::function<Task<Result<client::ServerDescription>>(const session::Call&)>;

/// Answers `initialize` and `server/discover` for clients of every revision; passes all other requests on.
class InitializeService final : public session::Service, public BackendLookup {
 public:
  /// `server` must outlive it.
  InitializeService(Describe describe, session::Service& server)
      : describe_(std::move(describe)), server_(server), backends_(server) {}

  Task<Result<session::Reply>> call(session::Call& call) override;
  Task<void> notify(session::Notification& notice) override { return server_.notify(notice); }
  std::unique_ptr<session::SessionHook> on_session_open(session::SessionRef session) override {
    return server_.on_session_open(std::move(session));
  }
  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal) override {
    return server_.header_params(tool, principal);
  }
  std::optional<std::string> backend_name_of(ListKind kind, std::string_view name) const override {
    return backends_(kind, name);
  }
  /// Null before the first request.
  const protocol::Implementation* server_info() const override { return info_ ? &*info_ : nullptr; }

 private:
  Task<Result<session::Reply>> describe_server(session::Call& call);

  Describe describe_;
  session::Service& server_;
  CachedBackendLookup backends_;
  std::optional<protocol::Implementation> info_ = {};
};

}  // namespace fairlead::gateway
