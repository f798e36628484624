#pragma once

#include <fairlead/base/clock.hpp>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/protocol/state_seal.hpp>
#include <fairlead/session/service.hpp>
#include <map>

#include "gateway/model/backend_lookup.hpp"

namespace fairlead::gateway {

struct SuspendedCallOptions {
  std::size_t max_calls = 1024;                 ///< Suspended calls at a time.
  Duration timeout = std::chrono::minutes{10};  ///< How long a suspended call waits for the client.
};

struct SuspendedCall;

/// Keeps a call in flight while its client answers requests of the server. Stateless clients get such requests in the
/// result of the call and answer them with a new request. Used on one event loop.
///
/// The client gets the requests and a sealed state. The state is valid once, for the same principal and request, until
/// the timeout.
class SuspendedCalls : NonCopyable {
 public:
  SuspendedCalls(EventLoop loop, SuspendedCallOptions options);
  ~SuspendedCalls();

  /// Whether the client can get requests of its server only in the result of this call, and both may use
  /// them. Also true for the next round of a suspended call.
  bool handles(const session::Call& call, const BackendLookup& backends) const;

  /// `next` is kept alive by the call (`Call::dependencies`).
  Task<Result<session::Reply>> call(session::Call& call, session::Service& next);

  Task<void> stop();

 private:
  Task<Result<session::Reply>> wait_for_outcome(std::shared_ptr<SuspendedCall> suspended, session::Call& call);
  Task<Result<session::Reply>> begin(session::Call& call, session::Service& next);
  Task<void> run(std::shared_ptr<SuspendedCall> suspended, session::Service& next);
  Result<session::Reply> suspend(SuspendedCall& suspended, const session::Call& call);

  EventLoop loop_;
  SuspendedCallOptions options_;
  protocol::StateSeal seal_;
  TaskScope scope_;
  std::map<std::uint64_t, std::shared_ptr<SuspendedCall>> calls_;
  std::uint64_t last_ = 0;
};

}  // namespace fairlead::gateway
