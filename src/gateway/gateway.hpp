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
#include "gateway/observe/ledger.hpp"
#include "gateway/observe/server_timing.hpp"
#include "gateway/observe/tracer.hpp"
#include "gateway/observe/watch.hpp"
#include "gateway/room.hpp"
#include "gateway/server_tasks.hpp"
#include "gateway/upstream/turnstile.hpp"
#include "gateway/upstream/upstream.hpp"
#include "gateway/upstream/wardrobe.hpp"
#include "gateway/via_rooms.hpp"

namespace fairlead::gateway {

/// A server as the operator sees it.
struct ServerStatus {
  std::string name;
  std::string address;       ///< Its URL, or its command without arguments that may be secret.
  std::string transport;     ///< `stdio`, or how its URL begins.
  std::size_t restarts = 0;  ///< By all that have stood in its place.
  std::vector<UpstreamState> states = {};
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

  /// Reaches every server; the first error says why one cannot be.
  Task<Result<void>> reach_all();

  std::vector<ServerStatus> status() const;
  /// What clients say and hear, for whoever wants to listen.
  const std::shared_ptr<Tap>& tap() const { return tap_; }

  /// Shows it every call from now on, at the front and before each server.
  void observe(std::shared_ptr<Observer> observer) { observers_->add(std::move(observer)); }
  void forget(const Observer& observer) { observers_->remove(observer); }

  /// What has been counted of calls.
  const Ledger& ledger() const { return *ledger_; }
  /// All that is counted, as text for Prometheus.
  std::string metrics() const;

  /// Calls under way are answered with an error that says that the gateway is shutting down, and so are new ones. For
  /// calls that go on for too long after the listeners were told to close; `stop` follows.
  void end_calls();

  /// Ends the servers. To be awaited before it is destroyed, when the listeners have closed.
  Task<void> stop();

 private:
  /// An external server that runs, or will.
  struct Running {
    ServerConfig config;
    Chain chain;
    std::shared_ptr<Member> member;  ///< Behind its chain.
    std::function<Task<void>()> stop;
    std::function<std::vector<UpstreamState>()> states;
    std::function<void()> forgive = [] {};  ///< It may be started again, however often it has failed.
  };

  Result<Running> make(const ServerConfig& config, Duration question_timeout);
  Result<Chain> make_chain(const ChainConfig& config) const;
  std::unique_ptr<Room> make_room(const std::string& server) const;
  void open_room(const std::string& name, const Seat& seat);
  void open_metrics(const std::string& path);
  void log_calls(CallLines how);
  void tell_times(bool wanted);
  std::shared_ptr<http::Handler> make_door(const std::string& server, transport::Host& host,
                                           std::optional<std::size_t> sessions = {}) const;
  void open_doors(const std::string& server, const std::shared_ptr<Room>& room);
  void bring_headers();
  Task<void> retire(std::shared_ptr<http::Handler> door, std::shared_ptr<Room> room, std::optional<Running> server);

  Loop loop_;
  Registry registry_;
  std::shared_ptr<HeaderSets> header_sets_ = std::make_shared<HeaderSets>();
  std::shared_ptr<Observers> observers_ = std::make_shared<Observers>();
  std::shared_ptr<Ledger> ledger_ = std::make_shared<Ledger>();
  std::shared_ptr<Observer> call_log_;
  std::shared_ptr<Tracer> tracer_;
  std::shared_ptr<ServerTiming> timing_;
  std::map<std::string, std::shared_ptr<UpstreamTally>> tallies_;  // By server, also of those that are gone.
  ServerTasks task_owners_;
  std::shared_ptr<Tap> tap_;
  TaskScope scope_;
  std::unique_ptr<Turnstile> starting_;
  GatewayConfig config_;
  bool applied_ = false;
  bool stopping_ = false;
  std::shared_ptr<bool> ends_ = std::make_shared<bool>(false);  // What servers tell their callers.
  Chain chain_;                                                 // In front of all servers.
  std::string metrics_door_;
  std::map<std::string, Running> servers_;
  std::shared_ptr<Room> all_;
  std::map<std::string, std::shared_ptr<Room>> rooms_;
  std::string via_;           // Which of all gateways this is, and those that have started it.
  std::string for_children_;  // By which a child knows that it would start itself.
  std::vector<std::string> wanted_headers_;
  std::shared_ptr<Doors> doors_;
  std::unique_ptr<ViaRooms> via_rooms_;
};

}  // namespace fairlead::gateway
