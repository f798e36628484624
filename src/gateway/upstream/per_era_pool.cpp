#include "gateway/upstream/per_era_pool.hpp"

#include <algorithm>
#include <fairlead/base/log.hpp>
#include <utility>

#include "gateway/upstream/upstream_errors.hpp"

namespace fairlead::gateway {
namespace {

using protocol::Lifecycle;

constexpr Lifecycle other(Lifecycle era) {
  return era == Lifecycle::handshake ? Lifecycle::stateless : Lifecycle::handshake;
}

}  // namespace

PerEraPool::PerEraPool(EventLoop loop, std::string name, Make make)
    : loop_(loop), name_(std::move(name)), make_(std::move(make)), scope_(loop.executor, loop.log, name_) {}

Task<void> PerEraPool::stop() {
  stopped_ = true;
  for (auto& [key, session] : sessions_) session.hooks = {};
  // The stopped upstreams are kept, so that calls fail with an error that says so.
  for (auto& each : distinct()) scope_.spawn(stop_backend(std::move(each)));
  co_await scope_.join();
  scope_.cancel();
}

std::vector<std::shared_ptr<Upstream>> PerEraPool::distinct() const {
  std::vector<std::shared_ptr<Upstream>> all;
  for (const auto& each : upstreams_) {
    if (each && (all.empty() || all.front() != each)) all.push_back(each);
  }
  return all;
}

Lifecycle PerEraPool::preferred_era(const session::Call& call) const {
  const auto* revision = call.context.revision;
  if (revision && revision->lifecycle == Lifecycle::stateless) return Lifecycle::stateless;
  // Session key 0 stands for the gateway itself, which calls in the form of the handshake era.
  return revision && call.context.session_key != 0 ? Lifecycle::handshake : default_era();
}

// The gateway's own calls use an open connection. The stateless era is preferred: its description has more members.
Lifecycle PerEraPool::default_era() const {
  for (const auto era : {Lifecycle::stateless, Lifecycle::handshake}) {
    if (upstream(era) && upstream(era)->last_description()) return era;
  }
  return expected_;
}

std::shared_ptr<Upstream> PerEraPool::open(Lifecycle era) {
  auto& opened = upstream(era);
  if (opened || stopped_) return opened;
  opened =
      make_(era == Lifecycle::handshake ? client::EraPreference::handshake_first : client::EraPreference::automatic);
  for (auto& [key, session] : sessions_) {
    session.hooks[index_of(era)] = opened->on_session_open(session.ref);
  }
  return opened;
}

Task<Result<std::shared_ptr<Upstream>>> PerEraPool::connect(Lifecycle era) {
  while (true) {
    const auto target = open(era);
    if (!target) co_return std::unexpected(stopped(name_));
    if (target->last_description()) co_return target;
    auto described = co_await target->describe();
    if (described) merge_if_single_era(era);
    // Another call may have found in the meantime that the server does not support this era.
    if (!described && upstream(era) == target) co_return std::unexpected(std::move(described.error()));
  }
}

void PerEraPool::merge_if_single_era(Lifecycle era) {
  const auto negotiated = upstream(era);
  auto& other_upstream = upstream(other(era));
  const auto* server = negotiated ? negotiated->last_description() : nullptr;
  if (!server || server->revision->lifecycle == era || other_upstream == negotiated) return;
  log(loop_.log, LogLevel::info, name_,
      [&] { return "speaks " + std::string(server->revision->name) + " with all clients: it rejected the other era"; });
  const bool has_other = other_upstream != nullptr;
  for (auto& [key, session] : sessions_) {
    auto hooks = std::exchange(session.hooks[index_of(era)], nullptr);
    if (!has_other) session.hooks[index_of(other(era))] = std::move(hooks);
  }
  if (!has_other) {
    other_upstream = negotiated;
    return;
  }
  upstream(era) = other_upstream;
  scope_.spawn(stop_backend(negotiated));
}

Task<Result<client::ServerDescription>> PerEraPool::describe_era(Lifecycle era) {
  const auto reached = co_await connect(era);
  if (!reached) co_return std::unexpected(reached.error());
  co_return co_await (*reached)->describe();
}

Task<Result<client::ServerDescription>> PerEraPool::describe_for(const session::Call& call) {
  return describe_era(preferred_era(call));
}

const client::ServerDescription* PerEraPool::last_description() const {
  const auto& mine = upstream(default_era());
  return mine ? mine->last_description() : nullptr;
}

bool PerEraPool::is_connected() const {
  return std::ranges::any_of(upstreams_, [](const auto& each) { return each && each->is_connected(); });
}

Task<Result<session::Reply>> PerEraPool::call(session::Call& call) {
  const auto era = preferred_era(call);
  const auto target = upstream(era);
  if (!target || !target->last_description()) return connect_and_call(call, era);
  call.dependencies.push_back(target);
  return target->call(call);
}

Task<Result<session::Reply>> PerEraPool::connect_and_call(session::Call& call, Lifecycle era) {
  const auto reached = co_await connect(era);
  if (!reached) co_return sign_in_reply(reached.error(), call);
  co_return co_await (*reached)->call(call);
}

Task<void> PerEraPool::notify(session::Notification& notice) {
  const auto era = notice.revision ? notice.revision->lifecycle : default_era();
  const auto target = upstream(era);
  if (target) co_await target->notify(notice);
}

std::unique_ptr<session::SessionHook> PerEraPool::on_session_open(session::SessionRef ref) {
  const auto key = ref.key;
  auto& session = sessions_.emplace(key, EraSession{.ref = std::move(ref)}).first->second;
  for (const auto& each : distinct()) {
    const auto at = each == upstream(Lifecycle::handshake) ? Lifecycle::handshake : Lifecycle::stateless;
    session.hooks[index_of(at)] = each->on_session_open(session.ref);
  }
  return std::make_unique<SessionRegistration>([this, key] { sessions_.erase(key); });
}

std::vector<UpstreamState> PerEraPool::states() const {
  std::vector<UpstreamState> all;
  for (const auto& each : distinct()) all.push_back(each->state());
  if (all.empty()) all.push_back({.state = "idle"});
  return all;
}

void PerEraPool::reset_backoff() {
  for (const auto& each : distinct()) each->reset_backoff();
}

}  // namespace fairlead::gateway
