#pragma once

#include <fairlead/base/task_scope.hpp>
#include <fairlead/client/options.hpp>
#include <map>

#include "base/promise.hpp"
#include "client/active_session.hpp"

namespace fairlead::client {

struct ConnectionState;

/// Subscriptions to resources and lists: resources/subscribe in the handshake era, an open subscriptions/listen request
/// in the stateless era. Renewed after a reconnect.
class Subscriptions {
 public:
  explicit Subscriptions(ConnectionState& state);

  Task<Result<void>> add(std::string uri);
  Task<Result<void>> remove(std::string uri);

  /// Renews all subscriptions on a new session.
  void resubscribe(const std::shared_ptr<ActiveSession>& active);

 private:
  /// An open subscriptions/listen request.
  struct ListenRequest {
    protocol::SubscriptionFilter filter = {};
    std::optional<jsonrpc::Id> id = {};
    Promise<Result<void>> acknowledged = {};
    TaskScope::Handle task = {};
  };

  std::shared_ptr<ListenRequest> start_listening(std::shared_ptr<ActiveSession> active,
                                                 protocol::SubscriptionFilter filter);
  Task<void> listen(std::shared_ptr<ConnectionState> state, std::shared_ptr<ActiveSession> active,
                    std::shared_ptr<ListenRequest> entry);
  Task<void> resubscribe_one(std::shared_ptr<ConnectionState> state, std::shared_ptr<ActiveSession> active,
                             std::string uri);
  Task<Result<void>> start(std::shared_ptr<ActiveSession> active, std::string uri);
  /// Waits for the acknowledgement, at most the idle timeout.
  Task<Result<void>> wait_acknowledged(std::shared_ptr<ListenRequest> opened, std::string uri);
  void acknowledge(const jsonrpc::Id& id, const protocol::SubscriptionFilter& honoured);

  ConnectionState& state_;
  std::map<std::string, std::shared_ptr<ListenRequest>> subscribed_;  // By URI; null in the handshake era.
  std::vector<std::shared_ptr<ListenRequest>> listening_;
};

}  // namespace fairlead::client
