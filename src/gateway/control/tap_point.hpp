#pragma once

#include <fairlead/session/service.hpp>
#include <memory>
#include <string>

#include "gateway/control/tap.hpp"

namespace fairlead::gateway {

/// Where clients come into a room: lets the tap hear both directions while anybody listens, and passes all of it on as
/// it is.
class TapPoint final : public session::Service {
 public:
  /// `next` outlives it, and `origins`, which knows whose a tool is.
  TapPoint(session::Service& next, const session::Service& origins, std::shared_ptr<Tap> tap, std::string room);

  Task<Result<session::Reply>> call(session::Call& call) override {
    return tap_->listened() ? heard_->call(call) : next_.call(call);
  }
  Task<void> notify(session::Notice& notice) override {
    return tap_->listened() ? heard_->notify(notice) : next_.notify(notice);
  }
  std::optional<Result<session::Reply>> answer_now(session::Call& call) override {
    return tap_->listened() ? std::nullopt : next_.answer_now(call);
  }
  bool answers_now() const override { return next_.answers_now(); }
  /// Always heard, because somebody may begin to listen while it lasts.
  std::unique_ptr<session::Attendance> attend(session::Conversation conversation) override {
    return heard_->attend(std::move(conversation));
  }
  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal) override {
    return next_.header_params(tool, principal);
  }
  const protocol::Implementation* self() const override { return next_.self(); }

 private:
  session::Service& next_;
  std::shared_ptr<Tap> tap_;
  std::shared_ptr<session::Service> heard_;
};

}  // namespace fairlead::gateway
