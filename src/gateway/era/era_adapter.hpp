#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/session/service.hpp>
#include <memory>

#include "gateway/era/suspended_calls.hpp"

namespace fairlead::gateway {

struct EraAdapterOptions {
  SuspendedCallOptions suspended_calls = {};
  Duration server_request_timeout = session::default_nested_request_timeout;  ///< For server requests in a session.
};

/// Adapts clients of all revisions to the single form that the chain uses: suspends calls of clients that answer server
/// requests with a new request, and serves their subscription streams. Used on one event loop.
class EraAdapter final : public session::Service {
 public:
  /// `next` must outlive it.
  EraAdapter(EventLoop loop, session::Service& next, EraAdapterOptions options = {});
  EraAdapter(const EraAdapter&) = delete;
  EraAdapter& operator=(const EraAdapter&) = delete;
  ~EraAdapter() override;

  /// Cancels suspended calls. Await it before destruction, while the event loop runs.
  Task<void> stop();

  Task<Result<session::Reply>> call(session::Call& call) override;
  Task<void> notify(session::Notification& notice) override;
  std::unique_ptr<session::SessionHook> on_session_open(session::SessionRef session) override;
  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal) override;
  const protocol::Implementation* server_info() const override;

 private:
  Task<Result<session::Reply>> call_after_discover(session::Call& call);

  EventLoop loop_;
  session::Service& next_;
  SuspendedCalls suspended_calls_;
};

}  // namespace fairlead::gateway
