#pragma once

#include <fairlead/base/event_loop.hpp>

#include "gateway/era/suspended_calls.hpp"
#include "gateway/era/task_handles.hpp"
#include "gateway/model/forwarding_service.hpp"

namespace fairlead::gateway {

struct EraAdapterOptions {
  SuspendedCallOptions suspended_calls = {};
  Duration server_request_timeout = session::default_nested_request_timeout;  ///< For server requests in a session.
  TaskHandleOptions tasks = {};
};

/// Adapts clients of all revisions to the single form that the chain uses: suspends calls of clients that answer server
/// requests with a new request, and serves their subscription streams. The chain can be replaced; calls in flight
/// continue with the old one. Used on one event loop.
class EraAdapter final : public ForwardingService {
 public:
  /// `chain` must outlive it.
  EraAdapter(const EventLoop& loop, session::Service& chain, const EraAdapterOptions& options = {});

  void set_chain(std::shared_ptr<session::Service> chain);
  session::Service& chain() const { return *target(); }

  /// Cancels suspended calls. Await it before destruction, while the event loop runs.
  Task<void> stop() { return suspended_calls_.stop(); }

  Task<Result<session::Reply>> call(session::Call& call) override;
  Task<void> notify(session::Notification& notice) override;

 private:
  Task<Result<session::Reply>> call_after_discover(session::Call& call);
  /// The chain; behind the handles of tasks if the call may be about one.
  session::Service& chain_for(const session::Call& call) const;

  EventLoop loop_;
  TaskHandleOptions tasks_;
  std::shared_ptr<TaskHandles> task_handles_;
  SuspendedCalls suspended_calls_;
};

}  // namespace fairlead::gateway
