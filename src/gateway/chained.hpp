#pragma once

#include <fairlead/gateway/chain.hpp>
#include <memory>

#include "gateway/member.hpp"

namespace fairlead::gateway {

/// A server with a chain of its own before it.
class Chained final : public Member {
 public:
  Chained(const Chain& chain, std::shared_ptr<Member> server)
      : server_(std::move(server)), service_(chain.then(std::shared_ptr<session::Service>(server_))) {}

  const std::string& name() const override { return server_->name(); }
  Task<Result<client::ServerDescription>> describe() override { return server_->describe(); }
  Task<Result<client::ServerDescription>> describe_for(const session::Call& call) override {
    return server_->describe_for(call);
  }
  const client::ServerDescription* known() const override { return server_->known(); }
  bool awake() const override { return server_->awake(); }
  void expect(const protocol::Revision& revision) override { server_->expect(revision); }
  bool takes_headers() const override { return server_->takes_headers(); }

  Task<Result<session::Reply>> call(session::Call& call) override { return service_->call(call); }
  Task<void> notify(session::Notice& notice) override { return service_->notify(notice); }
  std::unique_ptr<session::Attendance> attend(session::Conversation conversation) override {
    return service_->attend(std::move(conversation));
  }
  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal) override {
    return service_->header_params(tool, principal);
  }

 private:
  std::shared_ptr<Member> server_;
  std::shared_ptr<session::Service> service_;
};

}  // namespace fairlead::gateway
