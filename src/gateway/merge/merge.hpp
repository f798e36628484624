#pragma once

#include <fairlead/base/loop.hpp>
#include <fairlead/client/options.hpp>
#include <fairlead/protocol/state_seal.hpp>
#include <fairlead/session/service.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gateway/merge/attendants.hpp"
#include "gateway/merge/roster.hpp"
#include "gateway/merge/splice.hpp"
#include "gateway/task_owners.hpp"

namespace fairlead::gateway {

/// How a server is doing, for operators.
struct SeatState {
  std::string name;
  std::string trouble = {};  ///< Empty if all is well.
  bool reached = false;      ///< It has introduced itself in this run.
  std::array<std::size_t, all_lists.size()> items = {};
};

/// Many servers as one: lists are merged, calls go to whoever has what they name.
///
/// Whose a name is follows from the lists alone, never from how it is spelled. What is not renamed passes byte for
/// byte. Does not answer `initialize` and `server/discover`: see `merged_description`. On one loop.
class Merge final : public session::Service, public Origins {
 public:
  /// `tasks` outlives it, and is joined, before or after it goes, while the loop runs.
  Merge(Loop loop, TaskScope& tasks, std::vector<Seat> seats, MergeOptions options = {});

  Task<Result<session::Reply>> call(session::Call& call) override;
  std::optional<Result<session::Reply>> answer_now(session::Call& call) override;
  Task<void> notify(session::Notice& notice) override;
  std::unique_ptr<session::Attendance> attend(session::Conversation conversation) override;
  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal) override;

  std::optional<std::string> origin_of(ListKind kind, std::string_view name) const override;

  /// Other servers from now on. Clients that attend are told of the lists that differ.
  void replace(std::vector<Seat> seats);

  /// As `Member::expect`, for all servers.
  void expect(const protocol::Revision& revision);

  /// Asks all servers but the lazy ones for their lists, so that nobody has to wait for them later.
  void warm_up();

  /// What all can do together, and what they say of themselves, each under its name. Of a server that is not reached
  /// within the deadline the best is assumed, because nothing can be added to a handshake later. Says nothing of the
  /// revision and of who we are.
  Task<Result<client::ServerDescription>> merged_description();

  std::vector<Problem> problems() const;
  std::vector<SeatState> states() const;

  /// Writes the last good lists to the file of the options.
  Result<void> save() const { return roster_.save(); }

 private:
  /// Who has what a call names, and what he calls it.
  struct Route {
    std::shared_ptr<Catalogue> to;
    std::string inside;
  };

  /// A task that a call has begun.
  struct Begun {
    std::string server;
    CallerId caller;
  };

  bool is_alone() const;
  Task<Result<session::Reply>> pass_through(session::Call& call);

  // lists.cpp
  Task<Result<session::Reply>> list(session::Call& call, ListKind kind);
  Result<session::Reply> page(const session::Call& call, ListKind kind);
  Result<std::size_t> first_of_page(const session::Call& call, const MergedList& merged);
  bool is_offered_by_any(ListKind kind) const;
  protocol::StateSeal& seal();

  // routing.cpp
  Task<Result<session::Reply>> call_named(session::Call& call, ListKind kind);
  Task<Result<session::Reply>> call_resource(session::Call& call);
  Task<Result<session::Reply>> complete(session::Call& call);
  Task<Result<session::Reply>> pass(session::Call& call, Route route, Named wanted);
  Task<Result<session::Reply>> pass_when_found(session::Call& call, Task<Result<Route>> finding, Named wanted);
  Task<Result<Route>> find_named(ListKind kind, std::string name);
  Task<Result<Route>> find_resource(std::string uri);
  std::optional<Route> named(ListKind kind, std::string_view name) const;
  std::optional<Route> resource(std::string_view uri) const;
  /// At a server that was replaced by a reload and has not listed anything yet.
  std::optional<Route> expected(ListKind kind, std::string_view name) const;
  std::optional<Route> only_one_with_resources(std::string_view uri) const;
  /// A server that may have resources which it has not listed yet; null if all have said what they have.
  const Catalogue* one_unheard_of() const;
  Route route_to(const MergedList::Entry& entry) const;

  // following.cpp
  Task<Result<session::Reply>> follow(session::Call& call);
  Task<void> follow_again(Following lost);

  // tasks.cpp
  Task<Result<session::Reply>> call_task(session::Call& call);
  Result<std::shared_ptr<Catalogue>> owner_of_task(const std::string& id, const session::Call& call) const;
  Result<std::shared_ptr<Catalogue>> only_one_with_tasks(const session::Call& call) const;
  void remember_task(const session::Call& call, const session::Reply& reply, const std::shared_ptr<Catalogue>& at);

  // fan_out.cpp
  Task<Result<session::Reply>> set_level(session::Call& call);
  Task<Result<session::Reply>> call_whoever_knows(session::Call& call);

  Roster roster_;
  Attendants attendants_;
  TaskOwners<Begun> begun_;
  std::optional<protocol::StateSeal> seal_;
  const protocol::Revision* expected_ = nullptr;
};

}  // namespace fairlead::gateway
