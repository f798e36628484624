#pragma once

#include <fairlead/base/task_scope.hpp>
#include <fairlead/client/options.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/promise.hpp"
#include "client/link.hpp"

namespace fairlead::client {

struct ConnectionState;

/// What we want to be told of: asked for once in the handshake era, by a request that stays open in the stateless one.
/// A server that was restarted is asked again.
class Subscriptions {
 public:
  explicit Subscriptions(ConnectionState& state);

  Task<Result<void>> add(std::string uri);
  Task<Result<void>> remove(std::string uri);

  /// Asks for everything once more, on a new link.
  void renew(const std::shared_ptr<Link>& link);

 private:
  /// A request that stays open.
  struct Open {
    protocol::SubscriptionFilter filter = {};
    std::optional<jsonrpc::Id> id = {};
    Promise<Result<void>> taken_up = {};
    TaskScope::Handle task = {};
  };

  std::shared_ptr<Open> open(std::shared_ptr<Link> link, protocol::SubscriptionFilter filter);
  Task<void> listen(std::shared_ptr<ConnectionState> state, std::shared_ptr<Link> link, std::shared_ptr<Open> entry);
  Task<void> renew_one(std::shared_ptr<ConnectionState> state, std::shared_ptr<Link> link, std::string uri);
  Task<Result<void>> start(std::shared_ptr<Link> link, std::string uri);
  /// Until the server has said what it will tell, as long as any answer is waited for.
  Task<Result<void>> acknowledged(std::shared_ptr<Open> opened, std::string uri);
  void acknowledge(const jsonrpc::Id& id, const protocol::SubscriptionFilter& honoured);

  ConnectionState& state_;
  std::map<std::string, std::shared_ptr<Open>> wanted_;  // By URI; without an entry in the handshake era.
  std::vector<std::shared_ptr<Open>> open_;
};

}  // namespace fairlead::client
