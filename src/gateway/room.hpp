#pragma once

#include <fairlead/base/loop.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/gateway/chain.hpp>
#include <fairlead/http/handler.hpp>
#include <fairlead/session/host.hpp>
#include <string>
#include <vector>

#include "gateway/control/tap_point.hpp"
#include "gateway/front/front.hpp"
#include "gateway/introduction.hpp"
#include "gateway/merge/merge.hpp"
#include "gateway/observe/watch.hpp"
#include "gateway/relay.hpp"
#include "gateway/wire_log.hpp"

namespace fairlead::gateway {

/// A place that clients enter, with one server behind it or with many as one: from the session down to the servers.
/// Which servers, and what stands before them, changes without their noticing. On one loop.
class Room {
 public:
  /// `name` in the log; `self` is who speaks for many servers. `observers` see every call of a client;
  /// without a tap nobody can listen.
  Room(Loop loop, std::string name, protocol::Implementation self, MergeOptions options, const FrontOptions& front = {},
       std::shared_ptr<const Observers> observers = {}, std::shared_ptr<Tap> tap = {});
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;

  void set_servers(std::vector<Seat> seats);
  void set_chain(const Chain& chain);

  /// Which header fields of clients its chain sees (`RequestContext::luggage`).
  void want_headers(std::vector<std::string> names) { host_.want_luggage(std::move(names)); }

  transport::Host& host() { return host_; }
  /// What the host's sessions call.
  session::Service& service() { return tap_; }
  /// The chain itself, which knows one form of all revisions only.
  session::Service& behind_front() { return chain_; }
  Merge& servers() { return merge_; }
  std::size_t conversations() const { return host_.conversations(); }

  /// To be awaited before it is destroyed. Clients may still be there: what they ask for fails from then on.
  Task<void> stop();

 private:
  Task<Result<client::ServerDescription>> describe(const session::Call& call);

  std::string name_;
  protocol::Implementation self_;
  TaskScope tasks_;
  std::shared_ptr<Member> only_ = {};  // The server, if there is one only.
  Merge merge_;
  Introduction introduction_;
  Relay chain_;
  Front front_;
  WireLog wire_;
  std::shared_ptr<session::Service> watched_;
  TapPoint tap_;
  session::SessionHost host_;
};

/// A handler that keeps its room for as long as a request uses the handler: streams of HTTP+SSE, WebSockets and single
/// requests may go on when a reload has taken the room out of the configuration.
std::shared_ptr<http::Handler> door_to(std::shared_ptr<Room> room, std::shared_ptr<http::Handler> door);

}  // namespace fairlead::gateway
