#include "gateway/via_rooms.hpp"

#include <algorithm>
#include <utility>

namespace fairlead::gateway {
namespace {

Task<void> close_via_room(std::shared_ptr<http::Handler> door, std::shared_ptr<Room> room) {
  if (door) co_await door->close();
  co_await room->stop();
}

}  // namespace

ViaRooms::ViaRooms(TaskScope& tasks, const Clock& clock, std::shared_ptr<HeaderSets> sets, std::string us,
                   MakeRoom make_room, MakeDoor make_door)
    : tasks_(tasks),
      clock_(clock),
      sets_(std::move(sets)),
      us_(std::move(us)),
      make_room_(std::move(make_room)),
      make_door_(std::move(make_door)) {}

Seat ViaRooms::dressed(Seat seat, Way& way) const {
  if (!seat.member->takes_headers()) return seat;
  auto& server = way.servers[seat.member->name()];
  if (!server || server->inside() != seat.member) server = std::make_shared<Dressed>(seat.member, sets_, way.set);
  seat.member = server;
  return seat;
}

void ViaRooms::furnish(const std::string& server, Room& room, Way& way) const {
  std::vector<Seat> seats;
  for (const auto& seat : seats_) {
    if (server.empty() || seat.member->name() == server) seats.push_back(dressed(seat, way));
  }
  room.set_servers(std::move(seats));
  room.set_chain(chain_);
}

void ViaRooms::furnish(Way& way) {
  for (auto inside = way.rooms.begin(); inside != way.rooms.end();) {
    const auto is_there = [&](const Seat& seat) { return seat.member->name() == inside->first; };
    if (inside->first.empty() || std::ranges::any_of(seats_, is_there)) {
      furnish(inside->first, *inside->second.room, way);
      ++inside;
      continue;
    }
    tasks_.spawn(close_via_room(std::move(inside->second.door), std::move(inside->second.room)));
    inside = way.rooms.erase(inside);
  }
  const auto is_gone = [&](const auto& server) {
    return std::ranges::none_of(seats_, [&](const Seat& seat) { return seat.member == server.second->inside(); });
  };
  std::erase_if(way.servers, is_gone);
}

void ViaRooms::furnish(std::vector<Seat> seats, const Chain& chain) {
  seats_ = std::move(seats);
  chain_ = chain;
  for (auto& [via, way] : ways_) furnish(way);
}

void ViaRooms::want_headers(const std::vector<std::string>& names) {
  for (auto& [via, way] : ways_) {
    for (auto& [server, inside] : way.rooms) inside.room->want_headers(names);
  }
}

void ViaRooms::retire(Ways::iterator way) {
  for (auto& [server, inside] : way->second.rooms) {
    tasks_.spawn(close_via_room(std::move(inside.door), std::move(inside.room)));
  }
  sets_->remove(way->second.set);
  ways_.erase(way);
}

void ViaRooms::retire_oldest_of(const std::string& principal) {
  auto oldest = ways_.end();
  for (auto way = ways_.begin(); way != ways_.end(); ++way) {
    if (way->first.first != principal) continue;
    if (oldest == ways_.end() || way->second.last < oldest->second.last) oldest = way;
  }
  if (oldest != ways_.end()) retire(oldest);
}

// Beyond its share a principal ends its own; where there are too many of all, whoever has the most does.
void ViaRooms::make_place(const std::string& principal) {
  const auto since = clock_.now() - keeps_unused;
  const auto is_empty = [](const auto& inside) { return inside.second.room->conversations() == 0; };
  for (auto way = ways_.begin(); way != ways_.end();) {
    const auto here = way++;
    if (here->second.last <= since && std::ranges::all_of(here->second.rooms, is_empty)) retire(here);
  }
  std::map<std::string, std::size_t> counts;
  for (const auto& [key, way] : ways_) ++counts[key.first];
  if (!principal.empty() && counts[principal] >= most_of_a_principal) return retire_oldest_of(principal);
  const auto count = [](const auto& each) { return each.second; };
  if (ways_.size() >= most) retire_oldest_of(std::ranges::max_element(counts, {}, count)->first);
}

ViaRooms::Way& ViaRooms::way_of(const Key& key) {
  auto found = ways_.find(key);
  if (found == ways_.end()) {
    make_place(key.first);
    HeaderSets::Headers told{{"Via", key.second + ", " + us_}};
    found = ways_.emplace(key, Way{.set = sets_->add(std::move(told))}).first;
  }
  found->second.last = clock_.now();
  return found->second;
}

std::shared_ptr<http::Handler> ViaRooms::enter(const std::string& server, const std::string& principal,
                                               const std::string& via) {
  if (closed_) return nullptr;
  auto& way = way_of({principal, via});
  auto& inside = way.rooms[server];
  if (!inside.room) {
    inside.room = make_room_(server);
    furnish(server, *inside.room, way);
    inside.door = door_to(inside.room, make_door_(server, inside.room->host()));
  }
  return inside.door;
}

std::size_t ViaRooms::conversations() const {
  std::size_t all = 0;
  for (const auto& [via, way] : ways_) {
    for (const auto& [server, inside] : way.rooms) all += inside.room->conversations();
  }
  return all;
}

Task<void> ViaRooms::close() {
  closed_ = true;
  std::vector<std::shared_ptr<http::Handler>> doors;
  for (auto& [via, way] : ways_) {
    for (auto& [server, inside] : way.rooms) {
      if (inside.door) doors.push_back(std::exchange(inside.door, nullptr));
    }
  }
  for (const auto& door : doors) co_await door->close();
}

Task<void> ViaRooms::stop() {
  co_await close();
  while (!ways_.empty()) retire(ways_.begin());
}

}  // namespace fairlead::gateway
