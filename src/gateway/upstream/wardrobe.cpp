#include "gateway/upstream/wardrobe.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <utility>

#include "gateway/upstream/failure.hpp"

namespace fairlead::gateway {

using session::Call;
using session::Reply;

namespace {

Task<void> stop_way(WayToServer way) {
  co_await way.stop();
}

}  // namespace

class Wardrobe::Place final : public session::Attendance {
 public:
  Place(Wardrobe& all, std::uint64_t key, std::unique_ptr<Attendance> plain)
      : all_(all), key_(key), plain_(std::move(plain)) {}
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place() override { all_.guests_.erase(key_); }

 private:
  Wardrobe& all_;
  std::uint64_t key_;
  std::unique_ptr<Attendance> plain_;
};

/// Keeps a way from being taken for unused.
class Wardrobe::Use {
 public:
  Use(std::shared_ptr<Way> way, const Clock& clock) : way_(std::move(way)), clock_(clock) { ++way_->in_use; }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;
  ~Use() {
    --way_->in_use;
    way_->last = clock_.now();
  }

 private:
  std::shared_ptr<Way> way_;
  const Clock& clock_;
};

Wardrobe::Wardrobe(const Loop& loop, std::shared_ptr<HeaderSets> sets, WayToServer plain, Make make)
    : clock_(loop.timers.clock()),
      scope_(loop.executor, loop.log, plain.member->name()),
      sets_(std::move(sets)),
      plain_(std::move(plain)),
      make_(std::move(make)),
      sweep_(loop.timers, [this] { retire_unused(); }) {}

Task<void> Wardrobe::stop() {
  stopped_ = true;
  sweep_.disarm();
  for (auto& [key, guest] : guests_) guest.attending.clear();
  for (auto& [names, way] : std::exchange(ways_, {})) co_await way->to.stop();
  co_await plain_.stop();
  co_await scope_.join();
  scope_.cancel();
}

Wardrobe::Ways::iterator Wardrobe::retire(Ways::iterator way) {
  for (auto& [key, guest] : guests_) guest.attending.erase(way->first);
  scope_.spawn(stop_way(way->second->to));
  return ways_.erase(way);
}

// Those whose headers no chain knows any more.
void Wardrobe::retire_unknown() {
  const auto knows = [&](const auto& name) { return sets_->contains(name); };
  for (auto way = ways_.begin(); way != ways_.end();) {
    way = way->second->lent || std::ranges::all_of(way->first, knows) ? std::next(way) : retire(way);
  }
}

bool Wardrobe::is_used(const Ways::value_type& way) const {
  const auto attends = [&](const auto& guest) { return guest.second.attending.contains(way.first); };
  return way.second->in_use > 0 || std::ranges::any_of(guests_, attends);
}

void Wardrobe::retire_unused() {
  const auto since = clock_.now() - keeps_unused;
  for (auto way = ways_.begin(); way != ways_.end();) {
    const bool goes = way->second->lent && way->second->last <= since && !is_used(*way);
    way = goes ? retire(way) : std::next(way);
  }
  const bool any = std::ranges::any_of(ways_, [](const auto& way) { return way.second->lent; });
  if (any) sweep_.arm(Deadline::in(keeps_unused, clock_));
}

void Wardrobe::retire_oldest(const std::function<bool(const Way&)>& may_go) {
  auto oldest = ways_.end();
  for (auto way = ways_.begin(); way != ways_.end(); ++way) {
    const bool can_go = way->second->lent && !is_used(*way) && may_go(*way->second);
    if (can_go && (oldest == ways_.end() || way->second->last < oldest->second->last)) oldest = way;
  }
  if (oldest != ways_.end()) retire(oldest);
}

std::size_t Wardrobe::lent_to(const CallerId& caller) const {
  const auto is_own = [&](const auto& way) { return way.second->lent && way.second->opened_by == caller; };
  return static_cast<std::size_t>(std::ranges::count_if(ways_, is_own));
}

std::vector<UpstreamState> Wardrobe::states() const {
  auto all = plain_.states();
  for (const auto& [names, way] : ways_) {
    auto more = way->to.states();
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

void Wardrobe::forgive() {
  plain_.forgive();
  for (auto& [names, way] : ways_) way->to.forgive();
}

// A caller's own ways make room for its new ones first.
Result<std::shared_ptr<Wardrobe::Way>> Wardrobe::open_way(const Names& names, const CallerId& caller) {
  if (stopped_) return std::unexpected(stopped(name()));
  retire_unknown();
  const bool lent = sets_->any_is_lent(names);
  const auto is_own = [&](const Way& way) { return way.opened_by == caller; };
  if (lent && (ways_.size() >= most || lent_to(caller) >= most_of_a_caller)) retire_oldest(is_own);
  if (lent && lent_to(caller) >= most_of_a_caller) {
    return fail(ErrorKind::refused,
                fmt::format("you use the server '{}' with {} different sets of headers already, which is the share of "
                            "one caller; end some of your sessions",
                            name(), most_of_a_caller));
  }
  if (ways_.size() >= most) retire_oldest([](const Way&) { return true; });
  if (ways_.size() >= most) {
    return fail(ErrorKind::refused, fmt::format("the server '{}' has {} ways of being asked already, one for each set "
                                                "of headers, which is its limit",
                                                name(), most));
  }
  const auto way = std::make_shared<Way>(
      Way{.to = make_(sets_->find(names)), .lent = lent, .opened_by = caller, .last = clock_.now()});
  if (way->lent && !sweep_.armed()) sweep_.arm(Deadline::in(keeps_unused, clock_));
  return ways_.emplace(names, way).first->second;
}

Result<std::shared_ptr<Wardrobe::Way>> Wardrobe::way_for(const Call& call) {
  const auto names = sets_->asked_by(call.params);
  if (names.empty() || !make_) return nullptr;
  const auto found = ways_.find(names);
  auto way = found == ways_.end() ? open_way(names, caller_of(call.context)) : found->second;
  if (!way) return way;
  const auto guest = guests_.find(call.context.conversation);
  if (guest != guests_.end() && !guest->second.attending.contains(names)) {
    guest->second.attending.emplace(names, (*way)->to.member->attend(guest->second.conversation));
  }
  return way;
}

Task<Result<client::ServerDescription>> Wardrobe::describe_for(const Call& call) {
  auto way = way_for(call);
  if (!way) co_return std::unexpected(std::move(way.error()));
  if (!*way) co_return co_await plain_.member->describe_for(call);
  const Use use(*way, clock_);
  co_return co_await (*way)->to.member->describe_for(call);
}

const client::ServerDescription* Wardrobe::known() const {
  if (const auto* known = plain_.member->known()) return known;
  for (const auto& [names, way] : ways_) {
    // What a server says to one caller with his own credentials is for nobody else.
    if (const auto* known = way->lent ? nullptr : way->to.member->known()) return known;
  }
  return nullptr;
}

Task<Result<Reply>> Wardrobe::call(Call& call) {
  return mentions_headers(call.params) ? call_dressed(call) : plain_.member->call(call);
}

Task<Result<Reply>> Wardrobe::call_dressed(Call& call) {
  auto way = way_for(call);
  if (!way) co_return std::unexpected(std::move(way.error()));
  auto dressed = call;
  dressed.params = asking_for(call.params, {});
  if (!*way) co_return co_await plain_.member->call(dressed);
  const Use use(*way, clock_);
  co_return co_await (*way)->to.member->call(dressed);
}

Task<void> Wardrobe::notify(session::Notice& notice) {
  const auto guest = guests_.find(notice.conversation);
  std::vector<std::shared_ptr<Member>> used;
  if (guest != guests_.end()) {
    for (const auto& [names, attendance] : guest->second.attending) used.push_back(ways_.at(names)->to.member);
  }
  if (used.empty()) used.push_back(plain_.member);
  for (const auto& member : used) co_await member->notify(notice);
}

std::unique_ptr<session::Attendance> Wardrobe::attend(session::Conversation conversation) {
  const auto key = conversation.key;
  auto plain = plain_.member->attend(conversation);
  if (make_) guests_.emplace(key, Guest{.conversation = std::move(conversation)});
  return std::make_unique<Place>(*this, key, std::move(plain));
}

}  // namespace fairlead::gateway
