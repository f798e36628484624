#include "gateway/upstream/per_caller.hpp"

#include <fmt/format.h>
#include <utility>

#include "gateway/share.hpp"
#include "gateway/upstream/failure.hpp"

namespace fairlead::gateway {
namespace {

// Whom the server belongs to that is asked when nobody in particular asks.
const std::string nobody_in_particular;

Task<void> stop_one(std::shared_ptr<Upstream> server) {
  co_await server->stop();
}

}  // namespace

class PerCaller::Place final : public session::Attendance {
 public:
  Place(PerCaller& all, std::uint64_t key) : all_(all), key_(key) {}
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place() override { all_.leave(key_); }

 private:
  PerCaller& all_;
  std::uint64_t key_;
};

PerCaller::PerCaller(Loop loop, Make make, PerCallerOptions options)
    : loop_(loop),
      make_(std::move(make)),
      options_(std::move(options)),
      scope_(loop.executor, loop.log, options_.name) {}

Task<void> PerCaller::stop() {
  stopped_ = true;
  for (auto& [key, guest] : guests_) {
    guest.attendance.reset();
    if (guest.server) scope_.spawn(stop_one(std::exchange(guest.server, nullptr)));
  }
  for (auto& [principal, server] : std::exchange(of_principals_, {})) scope_.spawn(stop_one(server));
  co_await scope_.join();
  scope_.cancel();
}

Result<std::shared_ptr<Upstream>> PerCaller::make(const session::Call& call) {
  if (stopped_) return std::unexpected(stopped(options_.name));
  const auto running = running_ones();
  if (running >= options_.most) {
    return fail(
        ErrorKind::refused,
        fmt::format("the server '{}' runs {} times already, once for each caller, which is its limit; try again "
                    "when others have gone",
                    options_.name, running));
  }
  const auto& principal = call.context.principal;
  const auto own = principal.empty() ? 0 : running_ones_of(principal);
  if (own != 0 && own >= share_of_one(options_.most)) {
    return fail(ErrorKind::refused,
                fmt::format("the server '{}' runs {} times for you already, once for each session, which is the share "
                            "of one caller; end some of your sessions",
                            options_.name, own));
  }
  return make_(call);
}

std::size_t PerCaller::running_ones() const {
  std::size_t count = 0;
  for (const auto& [key, guest] : guests_) count += guest.server && guest.server->running() ? 1U : 0U;
  for (const auto& [principal, server] : of_principals_) count += server->running() ? 1U : 0U;
  return count;
}

std::size_t PerCaller::running_ones_of(const std::string& principal) const {
  std::size_t count = 0;
  for (const auto& [key, guest] : guests_) {
    count += guest.server && guest.server->running() && guest.conversation.principal == principal ? 1U : 0U;
  }
  const auto by_name = of_principals_.find(principal);
  return count + (by_name != of_principals_.end() && by_name->second->running() ? 1U : 0U);
}

Result<std::shared_ptr<Upstream>> PerCaller::server_of(const session::Call& call) {
  const auto found = guests_.find(call.context.conversation);
  const bool shook_hands = call.context.revision && call.context.revision->lifecycle == protocol::Lifecycle::handshake;
  // As conversation 0 the gateway itself asks, which has no server of its own.
  if (found == guests_.end() || !shook_hands || call.context.conversation == 0) return server_by_name(call);
  auto& guest = found->second;
  if (guest.server) return guest.server;
  auto made = make(call);
  if (!made) return made;
  guest.attendance.reset();
  guest.server = *made;
  guest.attendance = guest.server->attend(guest.conversation);
  return made;
}

Result<std::shared_ptr<Upstream>> PerCaller::server_by_name(const session::Call& call) {
  const auto found = of_principals_.find(call.context.principal);
  if (found != of_principals_.end()) return found->second;
  auto made = make(call);
  if (!made) return made;
  of_principals_.emplace(call.context.principal, *made);
  for (auto& [key, guest] : guests_) {
    if (!guest.server && guest.conversation.principal == call.context.principal) listen_by_name(guest);
  }
  return made;
}

// Who has no server of his own hears that of his name: he listens on one stream, and calls on others.
void PerCaller::listen_by_name(Guest& guest) {
  const auto found = of_principals_.find(guest.conversation.principal);
  if (found != of_principals_.end()) guest.attendance = found->second->attend(guest.conversation);
}

Task<Result<client::ServerDescription>> PerCaller::describe() {
  session::Call nobody_asks{.method = {}};
  nobody_asks.context.principal = nobody_in_particular;
  co_return co_await describe_for(nobody_asks);
}

Task<Result<client::ServerDescription>> PerCaller::describe_for(const session::Call& call) {
  const auto server = server_of(call);
  if (!server) co_return std::unexpected(server.error());
  co_return co_await (*server)->describe();
}

const client::ServerDescription* PerCaller::known() const {
  for (const auto& [principal, server] : of_principals_) {
    if (const auto* known = server->known()) return known;
  }
  for (const auto& [key, guest] : guests_) {
    const auto* known = guest.server ? guest.server->known() : nullptr;
    if (known) return known;
  }
  return nullptr;
}

Task<Result<session::Reply>> PerCaller::call(session::Call& call) {
  const auto server = server_of(call);
  if (!server) co_return std::unexpected(server.error());
  co_return co_await (*server)->call(call);
}

Task<void> PerCaller::notify(session::Notice& notice) {
  const auto found = guests_.find(notice.conversation);
  const auto server = found == guests_.end() ? nullptr : found->second.server;
  if (server) co_await server->notify(notice);
}

std::unique_ptr<session::Attendance> PerCaller::attend(session::Conversation conversation) {
  const auto key = conversation.key;
  listen_by_name(guests_.emplace(key, Guest{.conversation = std::move(conversation)}).first->second);
  return std::make_unique<Place>(*this, key);
}

void PerCaller::leave(std::uint64_t conversation) {
  const auto found = guests_.find(conversation);
  if (found == guests_.end()) return;
  found->second.attendance.reset();
  if (auto server = std::move(found->second.server)) {
    scope_.spawn(stop_one(std::move(server)));
  }
  guests_.erase(found);
}

std::vector<UpstreamState> PerCaller::states() const {
  std::vector<UpstreamState> all;
  for (const auto& [principal, server] : of_principals_) all.push_back(server->state());
  for (const auto& [key, guest] : guests_) {
    if (guest.server) all.push_back(guest.server->state());
  }
  return all;
}

}  // namespace fairlead::gateway
