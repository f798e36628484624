#pragma once

#include "gateway/model/forwarding_service.hpp"

namespace fairlead::gateway {

struct AbsorbedTaskOptions {
  Duration max_time = std::chrono::hours{1};  ///< Limit for a whole task; then it is cancelled.
  std::size_t max_failures = 10;              ///< Polls in a row that may fail because the server cannot be reached.
};

/// A server whose tasks are hidden from clients that do not support tasks: such a client waits for the result as in a
/// plain call. Meanwhile the task is polled, its status text is sent as progress, and its questions are sent to the
/// client. The task is cancelled if the client gives up.
class BackendWithAbsorbedTasks final : public ForwardingBackend {
 public:
  BackendWithAbsorbedTasks(EventLoop loop, std::shared_ptr<Backend> backend, AbsorbedTaskOptions options)
      : ForwardingBackend(std::move(backend)), loop_(std::move(loop)), options_(options) {}

  Task<Result<session::Reply>> call(session::Call& call) override;
  /// A stateless client is asked the questions of a task in rounds, so the call must be able to wait for it.
  bool may_send_requests(ListKind kind, std::string_view name) const override;

 private:
  Task<Result<session::Reply>> absorb(session::Call& call);

  EventLoop loop_;
  AbsorbedTaskOptions options_;
};

}  // namespace fairlead::gateway
