#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gateway/model/backend.hpp"

namespace fairlead::gateway {

/// Passes everything on to another backend. Base of backends that change some of it.
class ForwardingBackend : public Backend {
 public:
  explicit ForwardingBackend(std::shared_ptr<Backend> target) : target_(std::move(target)) {}

  const std::shared_ptr<Backend>& target() const { return target_; }

  const std::string& name() const override { return target_->name(); }
  Task<Result<client::ServerDescription>> describe() override { return target_->describe(); }
  Task<Result<client::ServerDescription>> describe_for(const session::Call& call) override {
    return target_->describe_for(call);
  }
  const client::ServerDescription* last_description() const override { return target_->last_description(); }
  bool accepts_headers() const override { return target_->accepts_headers(); }
  void expect_revision(const protocol::Revision& revision) override { target_->expect_revision(revision); }
  bool is_connected() const override { return target_->is_connected(); }

  Task<Result<session::Reply>> call(session::Call& call) override { return target_->call(call); }
  Task<void> notify(session::Notification& notice) override { return target_->notify(notice); }
  std::unique_ptr<session::SessionHook> on_session_open(session::SessionRef session) override {
    return target_->on_session_open(std::move(session));
  }
  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal) override {
    return target_->header_params(tool, principal);
  }

 private:
  std::shared_ptr<Backend> target_;
};

}  // namespace fairlead::gateway
