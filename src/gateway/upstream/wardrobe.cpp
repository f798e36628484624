#include "gateway/upstream/wardrobe.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

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

Wardrobe::Wardrobe(const Loop& loop, std::shared_ptr<HeaderSets> sets, WayToServer plain, Make make)
    : scope_(loop.executor, loop.log, plain.member->name()),
      sets_(std::move(sets)),
      plain_(std::move(plain)),
      make_(std::move(make)) {}

Task<void> Wardrobe::stop() {
  for (auto& [key, guest] : guests_) guest.attending.clear();
  for (auto& [names, way] : std::exchange(ways_, {})) co_await way.stop();
  co_await plain_.stop();
  co_await scope_.join();
}

// Those whose headers no chain knows any more.
void Wardrobe::retire_unknown() {
  for (auto way = ways_.begin(); way != ways_.end();) {
    if (std::ranges::all_of(way->first, [&](const auto& name) { return sets_->contains(name); })) {
      ++way;
      continue;
    }
    for (auto& [key, guest] : guests_) guest.attending.erase(way->first);
    scope_.spawn(stop_way(std::move(way->second)));
    way = ways_.erase(way);
  }
}

std::vector<UpstreamState> Wardrobe::states() const {
  auto all = plain_.states();
  for (const auto& [names, way] : ways_) {
    auto more = way.states();
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

void Wardrobe::forgive() {
  plain_.forgive();
  for (auto& [names, way] : ways_) way.forgive();
}

Result<std::shared_ptr<Member>> Wardrobe::way_for(const Call& call) {
  auto names = sets_->asked_by(call.params);
  if (names.empty() || !make_) return plain_.member;
  auto found = ways_.find(names);
  if (found == ways_.end()) {
    retire_unknown();
    if (ways_.size() >= most) {
      return fail(ErrorKind::refused,
                  fmt::format("the server '{}' has {} ways of being asked already, one for each set "
                              "of headers, which is its limit",
                              name(), most));
    }
    found = ways_.emplace(names, make_(sets_->find(names))).first;
  }
  const auto guest = guests_.find(call.context.conversation);
  if (guest != guests_.end() && !guest->second.attending.contains(names)) {
    guest->second.attending.emplace(names, found->second.member->attend(guest->second.conversation));
  }
  return found->second.member;
}

Task<Result<client::ServerDescription>> Wardrobe::describe_for(const Call& call) {
  auto way = way_for(call);
  if (!way) co_return std::unexpected(std::move(way.error()));
  co_return co_await (*way)->describe_for(call);
}

const client::ServerDescription* Wardrobe::known() const {
  if (const auto* known = plain_.member->known()) return known;
  for (const auto& [names, way] : ways_) {
    if (const auto* known = way.member->known()) return known;
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
  co_return co_await (*way)->call(dressed);
}

Task<void> Wardrobe::notify(session::Notice& notice) {
  const auto guest = guests_.find(notice.conversation);
  std::vector<std::shared_ptr<Member>> used;
  if (guest != guests_.end()) {
    for (const auto& [names, attendance] : guest->second.attending) used.push_back(ways_.at(names).member);
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
