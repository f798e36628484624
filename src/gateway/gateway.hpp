#pragma once

#include <fairlead/base/loop.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/gateway/registry.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gateway/config/config.hpp"
#include "gateway/doors.hpp"
#include "gateway/room.hpp"
#include "gateway/upstream/turnstile.hpp"
#include "gateway/upstream/upstream.hpp"
#include "gateway/upstream/wardrobe.hpp"

namespace fairlead::gateway {

/// A server as the operator sees it.
struct ServerStatus {
  std::string name;
  std::string address;  ///< Its URL, or its command without arguments that may be secret.
  std::vector<UpstreamState> states;
};

/// Everything between the listeners and the external servers, as a configuration says. On one loop.
///
/// All servers together are one room, at the root; each has a room of its own besides, at `/s/<name>`.
class Gateway {
 public:
  Gateway(Loop loop, Registry registry);
  Gateway(const Gateway&) = delete;
  Gateway& operator=(const Gateway&) = delete;
  ~Gateway();

  /// Becomes what the configuration says; what is the same in it goes on undisturbed, clients are not dropped. An error
  /// says what cannot be, and nothing has changed.
  Result<void> apply(const GatewayConfig& config);

  /// Where all servers are.
  transport::Host& all() { return all_->host(); }
  /// The same and the rooms of each, for an HTTP listener.
  std::shared_ptr<Doors> doors() const { return doors_; }
  Merge& merged() { return all_->servers(); }

  std::vector<ServerStatus> status() const;

  /// Ends the servers. To be awaited before it is destroyed, when the listeners have closed.
  Task<void> stop();

 private:
  /// An external server that runs, or will.
  struct Running {
    ServerConfig config;
    std::shared_ptr<Member> member;  ///< Behind its chain.
    std::function<Task<void>()> stop;
    std::function<std::vector<UpstreamState>()> states;
    std::function<void()> forgive = [] {};  ///< It may be started again, however often it has failed.
  };

  Result<Running> make(const ServerConfig& config);
  WayToServer way_to(const ServerConfig& config, UpstreamOptions options) const;
  Result<Chain> make_chain(const ChainConfig& config) const;
  void open_room(const std::string& name, const Seat& seat);
  void open_doors(const std::string& prefix, transport::Host& host);
  Task<void> retire(std::shared_ptr<http::Handler> door, std::unique_ptr<Room> room, std::optional<Running> server);

  Loop loop_;
  Registry registry_;
  std::shared_ptr<HeaderSets> header_sets_ = std::make_shared<HeaderSets>();
  TaskScope scope_;
  std::unique_ptr<Turnstile> starting_;
  GatewayConfig config_;
  bool applied_ = false;
  std::map<std::string, Running> servers_;
  std::unique_ptr<Room> all_;
  std::map<std::string, std::unique_ptr<Room>> rooms_;
  std::string via_;  // Which of all gateways this is, and those that have started it.
  std::shared_ptr<Doors> doors_;
};

}  // namespace fairlead::gateway
