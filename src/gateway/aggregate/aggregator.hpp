#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/client/options.hpp>
#include <fairlead/protocol/state_seal.hpp>
#include <fairlead/session/service.hpp>

#include "gateway/aggregate/backend_set.hpp"
#include "gateway/aggregate/session_fanout.hpp"
#include "gateway/model/json_rewrite.hpp"
#include "gateway/model/task_owners.hpp"

namespace fairlead::gateway {

/// The state of a backend, for operators.
struct BackendSlotStatus {
  std::string name;
  std::string problem = {};  ///< Empty for none.
  bool reached = false;      ///< Connected at least once since the start.
  std::array<std::size_t, all_lists.size()> items = {};
};

/// Presents several servers as one: merges their lists and routes each call to the server that offers its target.
///
/// Routing follows the lists, never the spelling of a name. Messages are passed on byte for byte, except for renamed
/// items. Answers `initialize` and `server/discover` for clients of every revision. Used on one event loop.
class Aggregator final : public session::Service, public BackendLookup {
 public:
  /// `tasks` must outlive it and be joined while the event loop runs.
  Aggregator(EventLoop loop, TaskScope& tasks, std::vector<BackendSlot> slots, AggregatorOptions options = {});

  Task<Result<session::Reply>> call(session::Call& call) override;
  Task<void> notify(session::Notification& notice) override;
  std::unique_ptr<session::SessionHook> on_session_open(session::SessionRef session) override;
  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal) override;

  /// Null before the first `initialize` or `server/discover`.
  const protocol::Implementation* server_info() const override { return info_ ? &*info_ : nullptr; }
  std::optional<std::string> backend_name_of(ListKind kind, std::string_view name) const override;
  bool may_send_requests(ListKind kind, std::string_view name) const override;
  bool offers_extension(std::string_view id) const override;

  /// Replaces the backends. Clients are notified of the lists that differ.
  void replace(std::vector<BackendSlot> slots);

  /// Calls `Backend::expect_revision` of all backends.
  void expect_revision(const protocol::Revision& revision);

  /// Starts to fetch the lists of all servers that are not lazy.
  void prefetch_lists();

  /// The combined capabilities and instructions of all servers. A server that does not answer in time is assumed to
  /// offer all lists, because a handshake cannot be amended. Revision and server info are left empty.
  Task<Result<client::ServerDescription>> combined_description();

  std::vector<Problem> problems() const;
  std::vector<BackendSlotStatus> states() const;

  /// Writes the current lists to the file in the options.
  Result<void> save() const { return backends_.save(); }

 private:
  /// The backend of a call's target, and its name there.
  struct Route {
    std::shared_ptr<BackendCatalog> catalog;
    std::string upstream_name;
  };

  /// A task that a call has started.
  struct StartedTask {
    std::string server;
    CallerId caller;
  };

  bool passes_through_single() const;
  Task<Result<session::Reply>> pass_through(session::Call& call);

  // initialize.cpp
  Task<Result<client::ServerDescription>> describe(const session::Call& call);
  Task<Result<session::Reply>> initialize(session::Call& call);

  // list_pages.cpp
  Task<Result<session::Reply>> list(session::Call& call, ListKind kind);
  Task<Result<session::Reply>> fetch_and_list(session::Call& call, ListKind kind);
  Result<session::Reply> page(const session::Call& call, ListKind kind);
  Result<std::size_t> first_of_page(const session::Call& call, const MergedList& merged);
  bool is_offered_by_any(ListKind kind) const;
  protocol::StateSeal& seal();

  // routing.cpp
  Task<Result<session::Reply>> call_named(session::Call& call, ListKind kind);
  Task<Result<session::Reply>> call_resource(session::Call& call);
  Task<Result<session::Reply>> complete(session::Call& call);
  Task<Result<session::Reply>> forward(session::Call& call, Route route, NamedSpan wanted);
  Task<Result<session::Reply>> forward_when_found(session::Call& call, Task<Result<Route>> finding, NamedSpan wanted);
  Task<Result<Route>> find_named(ListKind kind, std::string name);
  Task<Result<Route>> find_resource(std::string uri);
  std::optional<Route> find_route(ListKind kind, std::string_view name) const;
  std::optional<Route> route_by_server_in(std::string_view uri) const;
  std::optional<Route> resource_route(std::string_view uri) const;
  /// A route to a server that a reload replaced and that has not listed its items yet.
  std::optional<Route> expected_route(ListKind kind, std::string_view name) const;
  std::optional<Route> sole_route_for_resource(std::string_view uri) const;
  /// A server whose resources are not listed yet; null if there is none.
  const BackendCatalog* first_unlisted_backend() const;
  std::shared_ptr<BackendCatalog> backend_of(ListKind kind, std::string_view name) const;
  Route route_to(const MergedList::Entry& entry) const;

  // subscriptions.cpp
  Task<Result<session::Reply>> change_subscription(session::Call& call);
  Task<void> resubscribe(BackendSubscription lost);

  // extensions.cpp
  /// Removes what clients declare for extensions that are not routed between several servers.
  void withhold_unrouted_extensions(Call& call) const;
  bool routes_extension(std::string_view id) const;
  Task<Result<session::Reply>> call_skills(Call& call);
  Task<Result<session::Reply>> call_extension(Call& call, std::string_view id);

  // started_tasks.cpp
  /// Qualifies the id of a task that the call has started by the server.
  static Task<Result<session::Reply>> with_qualified_task(Task<Result<session::Reply>> reply, const Call& call,
                                                          const std::shared_ptr<BackendCatalog>& at);
  Task<Result<session::Reply>> call_started_task(Call& call);
  std::string params_at_server(const Call& call, const BackendCatalog& at, std::string_view id) const;

  // task_routing.cpp
  Task<Result<session::Reply>> call_task(session::Call& call);
  Result<std::shared_ptr<BackendCatalog>> owner_of_task(const std::string& id, const session::Call& call) const;
  Result<std::shared_ptr<BackendCatalog>> sole_backend_with_tasks(const session::Call& call) const;
  void remember_task(const session::Call& call, const session::Reply& reply, const std::shared_ptr<BackendCatalog>& at);

  // fan_out.cpp
  Task<Result<session::Reply>> set_level(session::Call& call);
  Task<Result<session::Reply>> call_first_supporting(session::Call& call);

  BackendSet backends_;
  SessionFanout fanout_;
  TaskOwners<StartedTask> started_tasks_;
  std::optional<protocol::StateSeal> seal_;
  const protocol::Revision* expected_ = nullptr;
  std::optional<protocol::Implementation> info_;  // Of the last description.
};

}  // namespace fairlead::gateway
