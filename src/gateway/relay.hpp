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
  void set(std::shared_ptr<session::Service> target) { target_ = std::move(target); }

  Task<Result<session::Reply>> call(session::Call& call) override {
    const auto target = target_;
    co_return co_await target->call(call);
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
    return gateway::origin_of(*target_, kind, name);
  }

 private:
  std::shared_ptr<session::Service> target_;
};

}  // namespace fairlead::gateway
