#pragma once

#include <fairlead/gateway/chain.hpp>
#include <memory>

#include "gateway/model/backend.hpp"

namespace fairlead::gateway {

/// A backend behind the chain of its own server configuration.
class BackendWithChain final : public Backend {
 public:
  BackendWithChain(const Chain& chain, std::shared_ptr<Backend> backend)
      : backend_(std::move(backend)), service_(chain.then(std::shared_ptr<session::Service>(backend_))) {}

  const std::string& name() const override { return backend_->name(); }
  Task<Result<client::ServerDescription>> describe() override { return backend_->describe(); }
  Task<Result<client::ServerDescription>> describe_for(const session::Call& call) override {
    return backend_->describe_for(call);
  }
  const client::ServerDescription* last_description() const override { return backend_->last_description(); }
  bool is_connected() const override { return backend_->is_connected(); }
  void expect_revision(const protocol::Revision& revision) override { backend_->expect_revision(revision); }
  bool accepts_headers() const override { return backend_->accepts_headers(); }

  Task<Result<session::Reply>> call(session::Call& call) override { return service_->call(call); }
  Task<void> notify(session::Notification& notice) override { return service_->notify(notice); }
  std::unique_ptr<session::SessionHook> on_session_open(session::SessionRef session) override {
    return service_->on_session_open(std::move(session));
  }
  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal) override {
    return service_->header_params(tool, principal);
  }

 private:
  std::shared_ptr<Backend> backend_;
  std::shared_ptr<session::Service> service_;
};

}  // namespace fairlead::gateway
