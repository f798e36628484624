#include "gateway/upstream/per_caller_pool.hpp"

#include <fmt/format.h>
#include <utility>

#include "gateway/model/fair_share.hpp"
#include "gateway/upstream/upstream_errors.hpp"

namespace fairlead::gateway {
namespace {

// The key of the server for calls without a principal.
const std::string shared_principal;

}  // namespace

PerCallerPool::PerCallerPool(EventLoop loop, Make make, PerCallerPoolOptions options)
    : loop_(loop),
      make_(std::move(make)),
      options_(std::move(options)),
      scope_(loop.executor, loop.log, options_.name) {}

Task<void> PerCallerPool::stop() {
  stopped_ = true;
  for (auto& [key, session] : sessions_) {
    session.attendance.reset();
    if (session.server) scope_.spawn(stop_backend(std::exchange(session.server, nullptr)));
  }
  for (auto& [principal, server] : std::exchange(by_principal_, {})) scope_.spawn(stop_backend(server));
  co_await scope_.join();
  scope_.cancel();
}

Result<std::shared_ptr<Upstream>> PerCallerPool::make(const session::Call& call) {
  if (stopped_) return std::unexpected(stopped(options_.name));
  const auto running = running_count();
  if (running >= options_.max_servers) {
    return std::unexpected(limit_reached(
        options_.name, fmt::format("the server '{}' already runs {} times, once per caller, which is the limit; try "
                                   "again when other callers have disconnected",
                                   options_.name, running)));
  }
  const auto& principal = call.context.principal;
  const auto own = principal.empty() ? 0 : running_count(&principal);
  if (own != 0 && own >= fair_share(options_.max_servers)) {
    return std::unexpected(limit_reached(
        options_.name, fmt::format("the server '{}' already runs {} times for you, once per session, which is the "
                                   "share of one caller; end some of your sessions",
                                   options_.name, own)));
  }
  return make_(call);
}

std::size_t PerCallerPool::running_count(const std::string* principal) const {
  std::size_t count = 0;
  const auto add = [&](const std::string& caller, const std::shared_ptr<Upstream>& server) {
    if (server && server->running() && (!principal || caller == *principal)) ++count;
  };
  for (const auto& [key, session] : sessions_) add(session.ref.principal, session.server);
  for (const auto& [caller, server] : by_principal_) add(caller, server);
  return count;
}

Result<std::shared_ptr<Upstream>> PerCallerPool::server_of(const session::Call& call) {
  if (options_.admit) {
    if (auto admitted = options_.admit(call); !admitted) return std::unexpected(std::move(admitted.error()));
  }
  const auto found = sessions_.find(call.context.session_key);
  const bool shook_hands = call.context.revision && call.context.revision->lifecycle == protocol::Lifecycle::handshake;
  // Session key 0 stands for the gateway itself, which has no server of its own.
  if (found == sessions_.end() || !shook_hands || call.context.session_key == 0) return server_of_principal(call);
  auto& session = found->second;
  if (session.server) return session.server;
  auto made = make(call);
  if (!made) return made;
  session.attendance.reset();
  session.server = *made;
  session.attendance = session.server->on_session_open(session.ref);
  return made;
}

Result<std::shared_ptr<Upstream>> PerCallerPool::server_of_principal(const session::Call& call) {
  const auto found = by_principal_.find(call.context.principal);
  if (found != by_principal_.end()) return found->second;
  auto made = make(call);
  if (!made) return made;
  by_principal_.emplace(call.context.principal, *made);
  for (auto& [key, session] : sessions_) {
    if (!session.server && session.ref.principal == call.context.principal) open_principal_session(session);
  }
  return made;
}

// A session without a server of its own receives notifications of its principal's server: it listens on one stream and
// calls on others.
void PerCallerPool::open_principal_session(CallerSession& session) {
  const auto found = by_principal_.find(session.ref.principal);
  if (found != by_principal_.end()) session.attendance = found->second->on_session_open(session.ref);
}

Task<Result<client::ServerDescription>> PerCallerPool::describe() {
  session::Call anonymous_call{.method = {}};
  anonymous_call.context.principal = shared_principal;
  co_return co_await describe_for(anonymous_call);
}

Task<Result<client::ServerDescription>> PerCallerPool::describe_for(const session::Call& call) {
  const auto server = server_of(call);
  if (!server) co_return std::unexpected(server.error());
  co_return co_await (*server)->describe();
}

const client::ServerDescription* PerCallerPool::last_description() const {
  for (const auto& [principal, server] : by_principal_) {
    if (const auto* known = server->last_description()) return known;
  }
  for (const auto& [key, session] : sessions_) {
    const auto* known = session.server ? session.server->last_description() : nullptr;
    if (known) return known;
  }
  return nullptr;
}

Task<Result<session::Reply>> PerCallerPool::call(session::Call& call) {
  const auto server = server_of(call);
  if (!server) co_return std::unexpected(server.error());
  co_return co_await (*server)->call(call);
}

Task<void> PerCallerPool::notify(session::Notification& notice) {
  const auto found = sessions_.find(notice.session_key);
  const auto server = found == sessions_.end() ? nullptr : found->second.server;
  if (server) co_await server->notify(notice);
}

std::unique_ptr<session::SessionHook> PerCallerPool::on_session_open(session::SessionRef ref) {
  const auto key = ref.key;
  open_principal_session(sessions_.emplace(key, CallerSession{.ref = std::move(ref)}).first->second);
  return std::make_unique<SessionRegistration>([this, key] { close_session(key); });
}

void PerCallerPool::close_session(std::uint64_t session_key) {
  const auto found = sessions_.find(session_key);
  if (found == sessions_.end()) return;
  found->second.attendance.reset();
  if (found->second.server) scope_.spawn(stop_backend(std::move(found->second.server)));
  sessions_.erase(found);
}

std::vector<UpstreamState> PerCallerPool::states() const {
  std::vector<UpstreamState> all;
  for (const auto& [principal, server] : by_principal_) all.push_back(server->state());
  for (const auto& [key, session] : sessions_) {
    if (session.server) all.push_back(session.server->state());
  }
  return all;
}

}  // namespace fairlead::gateway
