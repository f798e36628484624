#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "gateway/member.hpp"
#include "gateway/upstream/header_sets.hpp"

namespace fairlead::gateway {

/// A server all requests to which ask for one set of headers, whoever makes them.
class Dressed final : public Member {
 public:
  Dressed(std::shared_ptr<Member> server, std::shared_ptr<HeaderSets> sets, std::string set)
      : server_(std::move(server)), sets_(std::move(sets)), set_(std::move(set)) {}

  const std::shared_ptr<Member>& inside() const { return server_; }

  const std::string& name() const override { return server_->name(); }
  Task<Result<client::ServerDescription>> describe() override {
    const session::Call nobody_asks{.method = {}, .params = json::Payload::trusted("{}")};
    co_return co_await describe_for(nobody_asks);
  }
  Task<Result<client::ServerDescription>> describe_for(const session::Call& call) override {
    auto dressed = call;
    dress(dressed);
    auto described = co_await server_->describe_for(dressed);
    if (described) known_ = *described;
    co_return described;
  }
  const client::ServerDescription* known() const override { return known_ ? &*known_ : nullptr; }
  bool awake() const override { return known_ && server_->awake(); }
  void expect(const protocol::Revision& revision) override { server_->expect(revision); }
  bool takes_headers() const override { return true; }

  Task<Result<session::Reply>> call(session::Call& call) override {
    auto dressed = call;
    dress(dressed);
    co_return co_await server_->call(dressed);
  }
  Task<void> notify(session::Notice& notice) override { return server_->notify(notice); }
  std::unique_ptr<session::Attendance> attend(session::Conversation conversation) override {
    return server_->attend(std::move(conversation));
  }
  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal) override {
    return server_->header_params(tool, principal);
  }

 private:
  void dress(session::Call& call) const {
    auto asked = sets_->asked_by(call.params);
    asked.push_back(set_);
    call.params = asking_for(call.params, asked);
  }

  std::shared_ptr<Member> server_;
  std::shared_ptr<HeaderSets> sets_;
  std::string set_;
  std::optional<client::ServerDescription> known_ = {};
};

}  // namespace fairlead::gateway
