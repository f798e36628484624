#pragma once

#include <fairlead/base/clock.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/gateway/chain.hpp>
#include <fairlead/http/handler.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gateway/dressed.hpp"
#include "gateway/room.hpp"

namespace fairlead::gateway {

/// Rooms for those who have come through other gateways: the same servers, but told by `Via` through whom. So whoever
/// leads back to one of them is noticed there, and is in no list that would grow with every round. On one loop.
class ViaRooms {
 public:
  /// So many ways here at a time; beyond that, who has not come for the longest time has to begin anew.
  static constexpr std::size_t most = 64;
  /// Of them, those of one principal: who makes up more of them ends its own.
  static constexpr std::size_t most_of_a_principal = 16;
  /// Sessions in each of their rooms, and as many streams of HTTP+SSE. Other gateways keep a few; `Via` must not
  /// multiply what one client may have.
  static constexpr std::size_t sessions_in_a_room = 128;
  static constexpr Duration keeps_unused = std::chrono::minutes{10};

  /// `server` is empty for the room of all.
  using MakeRoom = std::function<std::unique_ptr<Room>(const std::string& server)>;
  using MakeDoor = std::function<std::shared_ptr<http::Handler>(const std::string& server, transport::Host& host)>;

  /// `us` is what we add to `Via`. `tasks` and `clock` outlive it.
  ViaRooms(TaskScope& tasks, const Clock& clock, std::shared_ptr<HeaderSets> sets, std::string us, MakeRoom make_room,
           MakeDoor make_door);

  /// What is in the rooms from now on.
  void furnish(std::vector<Seat> seats, const Chain& chain);
  void want_headers(const std::vector<std::string>& names);

  /// Into the room of one server, or of all, for who has come through these. Null once it is closed.
  std::shared_ptr<http::Handler> enter(const std::string& server, const std::string& principal, const std::string& via);

  /// Of the clients in all of them.
  std::size_t conversations() const;

  /// Nobody gets in any more.
  Task<void> close();
  /// Afterwards.
  Task<void> stop();

 private:
  struct Inside {
    std::shared_ptr<Room> room;
    std::shared_ptr<http::Handler> door;
  };
  /// One way here.
  struct Way {
    std::string set;  ///< Of headers.
    std::map<std::string, std::shared_ptr<Dressed>> servers = {};
    std::map<std::string, Inside> rooms = {};
    TimePoint last = {};
  };

  /// By principal, and by what `Via` says.
  using Key = std::pair<std::string, std::string>;
  using Ways = std::map<Key, Way>;

  Way& way_of(const Key& key);
  Seat dressed(Seat seat, Way& way) const;
  void furnish(const std::string& server, Room& room, Way& way) const;
  void furnish(Way& way);
  void make_place(const std::string& principal);
  void retire_oldest_of(const std::string& principal);
  void retire(Ways::iterator way);

  TaskScope& tasks_;
  const Clock& clock_;
  std::shared_ptr<HeaderSets> sets_;
  std::string us_;
  MakeRoom make_room_;
  MakeDoor make_door_;
  std::vector<Seat> seats_;
  Chain chain_;
  Ways ways_;
  bool closed_ = false;
};

}  // namespace fairlead::gateway
