#pragma once

#include <fairlead/session/service.hpp>
#include <memory>
#include <utility>

#include "gateway/origins.hpp"

namespace fairlead::gateway {

/// Passes everything to a service that can be another one later; what is under way goes on with the old one. On one
/// loop.
class Relay final : public session::Service, public Origins {
 public:
  void set(std::shared_ptr<session::Service> target) {
    target_ = std::move(target);
    origins_ = OriginsOf(*target_);
  }

  Task<Result<session::Reply>> call(session::Call& call) override {
    call.needs.reserve(2);
    call.needs.push_back(target_);
    return target_->call(call);
  }
  Task<void> notify(session::Notice& notice) override {
    const auto target = target_;
    co_await target->notify(notice);
  }
  std::optional<Result<session::Reply>> answer_now(session::Call& call) override { return target_->answer_now(call); }
  std::unique_ptr<session::Attendance> attend(session::Conversation conversation) override {
    return target_->attend(std::move(conversation));
  }
  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal) override {
    return target_->header_params(tool, principal);
  }
  const protocol::Implementation* self() const override { return target_->self(); }
  std::optional<std::string> origin_of(ListKind kind, std::string_view name) const override {
    return origins_(kind, name);
  }

 private:
  std::shared_ptr<session::Service> target_;
  OriginsOf origins_;
};

}  // namespace fairlead::gateway
