#pragma once

#include "gateway/model/forwarding_service.hpp"
#include "gateway/model/json_rewrite.hpp"

namespace fairlead::gateway {

/// A backend among several: URIs of its skills and pages contain its name (server_uri.hpp). Alone it is passed through.
class BackendWithServerUris final : public ForwardingBackend {
 public:
  explicit BackendWithServerUris(std::shared_ptr<Backend> backend)
      : ForwardingBackend(std::move(backend)), among_several_(std::make_shared<bool>(false)) {}

  /// Returns whether this changes its URIs.
  bool set_among_several(bool value) { return std::exchange(*among_several_, value) != value; }

  Task<Result<session::Reply>> call(session::Call& call) override;
  std::unique_ptr<session::SessionHook> on_session_open(session::SessionRef session) override;

 private:
  Task<Result<session::Reply>> call_with_own_uri(session::Call& call, NamedSpan uri);

  std::shared_ptr<bool> among_several_;  // Shared with the peers of open sessions.
};

}  // namespace fairlead::gateway
