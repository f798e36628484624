#include "gateway/upstream/era_legs.hpp"

#include <algorithm>
#include <fairlead/base/log.hpp>
#include <utility>

#include "gateway/upstream/failure.hpp"

namespace fairlead::gateway {
namespace {

using protocol::Lifecycle;

constexpr Lifecycle other(Lifecycle era) {
  return era == Lifecycle::handshake ? Lifecycle::stateless : Lifecycle::handshake;
}

Task<void> stop_leg(std::shared_ptr<Upstream> leg) {
  co_await leg->stop();
}

}  // namespace

class EraLegs::Place final : public session::Attendance {
 public:
  Place(EraLegs& all, std::uint64_t key) : all_(all), key_(key) {}
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place() override { all_.guests_.erase(key_); }

 private:
  EraLegs& all_;
  std::uint64_t key_;
};

EraLegs::EraLegs(Loop loop, std::string name, Make make)
    : loop_(loop), name_(std::move(name)), make_(std::move(make)), scope_(loop.executor, loop.log, name_) {}

Task<void> EraLegs::stop() {
  stopped_ = true;
  for (auto& [key, guest] : guests_) guest.attending = {};
  // They stay: who calls one that was stopped is told so.
  for (auto& each : distinct()) scope_.spawn(stop_leg(std::move(each)));
  co_await scope_.join();
  scope_.cancel();
}

std::vector<std::shared_ptr<Upstream>> EraLegs::distinct() const {
  std::vector<std::shared_ptr<Upstream>> all;
  for (const auto& each : legs_) {
    if (each && (all.empty() || all.front() != each)) all.push_back(each);
  }
  return all;
}

Lifecycle EraLegs::wanted_by(const session::Call& call) const {
  const auto* revision = call.context.revision;
  if (revision && revision->lifecycle == Lifecycle::stateless) return Lifecycle::stateless;
  // As conversation 0 the gateway itself asks, in the form of the handshake era whatever its clients speak.
  return revision && call.context.conversation != 0 ? Lifecycle::handshake : own();
}

// What the gateway asks for itself, it asks where it need not open anything. Of two, the newer era says more.
Lifecycle EraLegs::own() const {
  for (const auto era : {Lifecycle::stateless, Lifecycle::handshake}) {
    if (leg(era) && leg(era)->known()) return era;
  }
  return expected_;
}

std::shared_ptr<Upstream> EraLegs::open(Lifecycle era) {
  auto& opened = leg(era);
  if (opened || stopped_) return opened;
  opened = make_(era == Lifecycle::handshake ? client::Era::handshake_first : client::Era::automatic);
  for (auto& [key, guest] : guests_) {
    guest.attending[index_of(era)] = opened->attend(guest.conversation);
  }
  return opened;
}

Task<Result<std::shared_ptr<Upstream>>> EraLegs::reach(Lifecycle era) {
  while (true) {
    const auto wanted = open(era);
    if (!wanted) co_return std::unexpected(stopped(name_));
    if (wanted->known()) co_return wanted;
    auto described = co_await wanted->describe();
    if (described) settle(era);
    // Meanwhile another call may have found that the server does not speak this era.
    if (!described && leg(era) == wanted) co_return std::unexpected(std::move(described.error()));
  }
}

void EraLegs::settle(Lifecycle era) {
  const auto asked = leg(era);
  auto& rest = leg(other(era));
  const auto* server = asked ? asked->known() : nullptr;
  if (!server || server->revision->lifecycle == era || rest == asked) return;
  log(loop_.log, LogLevel::info, name_,
      [&] { return "speaks " + std::string(server->revision->name) + " with all clients: it refused the other era"; });
  const bool is_spare = rest != nullptr;
  for (auto& [key, guest] : guests_) {
    auto attending = std::exchange(guest.attending[index_of(era)], nullptr);
    if (!is_spare) guest.attending[index_of(other(era))] = std::move(attending);
  }
  if (!is_spare) {
    rest = asked;
    return;
  }
  leg(era) = rest;
  scope_.spawn(stop_leg(asked));
}

Task<Result<client::ServerDescription>> EraLegs::describe_leg(Lifecycle era) {
  const auto reached = co_await reach(era);
  if (!reached) co_return std::unexpected(reached.error());
  co_return co_await (*reached)->describe();
}

Task<Result<client::ServerDescription>> EraLegs::describe_for(const session::Call& call) {
  return describe_leg(wanted_by(call));
}

const client::ServerDescription* EraLegs::known() const {
  const auto& mine = leg(own());
  return mine ? mine->known() : nullptr;
}

bool EraLegs::awake() const {
  return std::ranges::any_of(legs_, [](const auto& each) { return each && each->awake(); });
}

Task<Result<session::Reply>> EraLegs::call(session::Call& call) {
  const auto era = wanted_by(call);
  const auto wanted = leg(era);
  if (!wanted || !wanted->known()) return reach_and_call(call, era);
  call.needs.push_back(wanted);
  return wanted->call(call);
}

Task<Result<session::Reply>> EraLegs::reach_and_call(session::Call& call, Lifecycle era) {
  const auto reached = co_await reach(era);
  if (!reached) co_return std::unexpected(reached.error());
  co_return co_await (*reached)->call(call);
}

Task<void> EraLegs::notify(session::Notice& notice) {
  const auto era = notice.revision ? notice.revision->lifecycle : own();
  const auto wanted = leg(era);
  if (wanted) co_await wanted->notify(notice);
}

std::unique_ptr<session::Attendance> EraLegs::attend(session::Conversation conversation) {
  const auto key = conversation.key;
  auto& guest = guests_.emplace(key, Guest{.conversation = std::move(conversation)}).first->second;
  for (const auto& each : distinct()) {
    const auto at = each == leg(Lifecycle::handshake) ? Lifecycle::handshake : Lifecycle::stateless;
    guest.attending[index_of(at)] = each->attend(guest.conversation);
  }
  return std::make_unique<Place>(*this, key);
}

std::vector<UpstreamState> EraLegs::states() const {
  std::vector<UpstreamState> all;
  for (const auto& each : distinct()) all.push_back(each->state());
  if (all.empty()) all.push_back({.state = "idle"});
  return all;
}

void EraLegs::forgive() {
  for (const auto& each : distinct()) each->forgive();
}

}  // namespace fairlead::gateway
