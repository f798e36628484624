#pragma once

#include <fairlead/base/loop.hpp>
#include <fairlead/session/service.hpp>
#include <memory>

#include "gateway/front/parking.hpp"

namespace fairlead::gateway {

struct FrontOptions {
  ParkingOptions parking = {};
  Duration question_timeout = session::default_question_timeout;  ///< For what is asked in a session.
};

/// Where clients of all revisions enter a chain that knows one form only: introduces the server behind it, keeps calls
/// that wait for answers of clients that have to come back, and turns their subscriptions into the chain's. On one
/// loop.
class Front final : public session::Service {
 public:
  /// `next` outlives it.
  Front(Loop loop, session::Service& next, FrontOptions options = {});
  Front(const Front&) = delete;
  Front& operator=(const Front&) = delete;
  ~Front() override;

  /// Gives up on the calls that are kept. To be awaited before it is destroyed, while the loop runs.
  Task<void> stop();

  Task<Result<session::Reply>> call(session::Call& call) override;
  /// Whoever is behind it may have to be reached first.
  bool answers_now() const override { return false; }
  Task<void> notify(session::Notice& notice) override;
  std::unique_ptr<session::Attendance> attend(session::Conversation conversation) override;
  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal) override;
  const protocol::Implementation* self() const override;

 private:
  Task<Result<session::Reply>> signed_call(session::Call& call);

  Loop loop_;
  session::Service& next_;
  Parking parking_;
};

}  // namespace fairlead::gateway
