#include "gateway/upstream/header_keyed_pool.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <utility>

#include "base/scope_exit.hpp"
#include "gateway/model/added_headers.hpp"
#include "gateway/upstream/upstream_errors.hpp"

namespace fairlead::gateway {

using session::Call;
using session::Reply;

namespace {

bool has_client_headers(const Call& call) {
  return std::ranges::any_of(call.context.added_headers, [](const auto& added) { return added->from_client; });
}

// Neither names nor values contain line breaks.
std::string key_of(const Call& call) {
  std::string key = has_client_headers(call) ? "client\n" : "chain\n";
  for (const auto& [name, value] : added_headers(call)) key += name + ':' + value + '\n';
  return key;
}

}  // namespace

HeaderKeyedPool::HeaderKeyedPool(const EventLoop& loop, std::shared_ptr<ManagedBackend> default_backend, Make make)
    : clock_(loop.timers.clock()),
      scope_(loop.executor, loop.log, default_backend->name()),
      default_(std::move(default_backend)),
      make_(std::move(make)),
      sweep_timer_(loop.timers, [this] { retire_unused(); }) {}

Task<void> HeaderKeyedPool::stop() {
  stopped_ = true;
  sweep_timer_.disarm();
  for (auto& [key, session] : sessions_) session.hooks.clear();
  for (auto& [headers, entry] : std::exchange(entries_, {})) co_await entry->backend->stop();
  co_await default_->stop();
  co_await scope_.join();
  scope_.cancel();
}

HeaderKeyedPool::Entries::iterator HeaderKeyedPool::retire(Entries::iterator entry) {
  for (auto& [key, session] : sessions_) session.hooks.erase(entry->first);
  scope_.spawn(stop_backend(entry->second->backend));
  return entries_.erase(entry);
}

// Removes entries whose headers no chain adds any more.
void HeaderKeyedPool::retire_unknown() {
  const auto is_gone = [](const auto& source) { return source.expired(); };
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    const bool unknown = !entry->second->from_client && std::ranges::any_of(entry->second->sources, is_gone);
    entry = unknown ? retire(entry) : std::next(entry);
  }
}

bool HeaderKeyedPool::is_used(const Entries::value_type& entry) const {
  const auto uses_entry = [&](const auto& session) { return session.second.hooks.contains(entry.first); };
  return entry.second->in_use > 0 || std::ranges::any_of(sessions_, uses_entry);
}

void HeaderKeyedPool::retire_unused() {
  const auto since = clock_.now() - idle_timeout;
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    const bool expired = entry->second->from_client && entry->second->last_used <= since && !is_used(*entry);
    entry = expired ? retire(entry) : std::next(entry);
  }
  const bool any = std::ranges::any_of(entries_, [](const auto& entry) { return entry.second->from_client; });
  if (any) sweep_timer_.arm(Deadline::in(idle_timeout, clock_));
}

void HeaderKeyedPool::retire_oldest(const std::function<bool(const Entry&)>& filter) {
  auto oldest = entries_.end();
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    const bool evictable = entry->second->from_client && !is_used(*entry) && filter(*entry->second);
    if (evictable && (oldest == entries_.end() || entry->second->last_used < oldest->second->last_used)) oldest = entry;
  }
  if (oldest != entries_.end()) retire(oldest);
}

std::size_t HeaderKeyedPool::client_entries_of(const CallerId& caller) const {
  const auto is_own = [&](const auto& entry) { return entry.second->from_client && entry.second->opened_by == caller; };
  return static_cast<std::size_t>(std::ranges::count_if(entries_, is_own));
}

std::vector<UpstreamState> HeaderKeyedPool::states() const {
  auto all = default_->states();
  for (const auto& [headers, entry] : entries_) {
    auto more = entry->backend->states();
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

void HeaderKeyedPool::reset_backoff() {
  default_->reset_backoff();
  for (auto& [headers, entry] : entries_) entry->backend->reset_backoff();
}

// Entries of the same caller are removed first.
Result<std::shared_ptr<HeaderKeyedPool::Entry>> HeaderKeyedPool::open_entry(const std::string& key, const Call& call) {
  if (stopped_) return std::unexpected(stopped(name()));
  retire_unknown();
  const auto caller = caller_of(call.context);
  const bool from_client = has_client_headers(call);
  const auto is_own = [&](const Entry& entry) { return entry.opened_by == caller; };
  if (from_client && (entries_.size() >= max_entries || client_entries_of(caller) >= max_entries_per_caller))
    retire_oldest(is_own);
  if (from_client && client_entries_of(caller) >= max_entries_per_caller) {
    return std::unexpected(limit_reached(
        name(), fmt::format("you already use the server '{}' with {} different sets of headers, which is the share of "
                            "one caller; end some of your sessions",
                            name(), max_entries_per_caller)));
  }
  if (entries_.size() >= max_entries) retire_oldest([](const Entry&) { return true; });
  if (entries_.size() >= max_entries) {
    return std::unexpected(
        limit_reached(name(), fmt::format("the server '{}' already has {} connections with different headers, which is "
                                          "the limit; try again later",
                                          name(), max_entries)));
  }
  const auto entry = std::make_shared<Entry>(Entry{.backend = make_(added_headers(call)),
                                                   .from_client = from_client,
                                                   .opened_by = caller,
                                                   .last_used = clock_.now()});
  if (from_client && !sweep_timer_.armed()) sweep_timer_.arm(Deadline::in(idle_timeout, clock_));
  return entries_.emplace(key, entry).first->second;
}

Result<std::shared_ptr<HeaderKeyedPool::Entry>> HeaderKeyedPool::entry_for(const Call& call) {
  const auto& added = call.context.added_headers;
  if (added.empty()) return nullptr;
  const auto key = key_of(call);
  const auto found = entries_.find(key);
  auto entry = found == entries_.end() ? open_entry(key, call) : found->second;
  if (!entry) return entry;
  (*entry)->sources.assign(added.begin(), added.end());
  const auto session = sessions_.find(call.context.session_key);
  if (session != sessions_.end() && !session->second.hooks.contains(key)) {
    session->second.hooks.emplace(key, (*entry)->backend->on_session_open(session->second.ref));
  }
  return entry;
}

/// Marks an entry as used for a scope, which may outlive the pool.
auto HeaderKeyedPool::use(std::shared_ptr<Entry> entry) const {
  ++entry->in_use;
  return ScopeExit([entry = std::move(entry), &clock = clock_] {
    --entry->in_use;
    entry->last_used = clock.now();
  });
}

Task<Result<client::ServerDescription>> HeaderKeyedPool::describe_for(const Call& call) {
  auto entry = entry_for(call);
  if (!entry) co_return std::unexpected(std::move(entry.error()));
  if (!*entry) co_return co_await default_->describe_for(call);
  const auto end_of_use = use(*entry);
  co_return co_await (*entry)->backend->describe_for(call);
}

const client::ServerDescription* HeaderKeyedPool::last_description() const {
  if (const auto* known = default_->last_description()) return known;
  for (const auto& [headers, entry] : entries_) {
    // A description that was obtained with a client's credentials is not shared.
    if (const auto* known = entry->from_client ? nullptr : entry->backend->last_description()) return known;
  }
  return nullptr;
}

Task<Result<Reply>> HeaderKeyedPool::call(Call& call) {
  return call.context.added_headers.empty() ? default_->call(call) : call_with_headers(call);
}

Task<Result<Reply>> HeaderKeyedPool::call_with_headers(Call& call) {
  auto entry = entry_for(call);
  if (!entry) co_return std::unexpected(std::move(entry.error()));
  const auto end_of_use = use(*entry);
  co_return co_await (*entry)->backend->call(call);
}

Task<void> HeaderKeyedPool::notify(session::Notification& notice) {
  const auto session = sessions_.find(notice.session_key);
  std::vector<std::shared_ptr<Backend>> targets;
  if (session != sessions_.end()) {
    for (const auto& [headers, hook] : session->second.hooks) targets.push_back(entries_.at(headers)->backend);
  }
  if (targets.empty()) targets.push_back(default_);
  for (const auto& backend : targets) co_await backend->notify(notice);
}

std::unique_ptr<session::SessionHook> HeaderKeyedPool::on_session_open(session::SessionRef ref) {
  const auto key = ref.key;
  auto default_hook = default_->on_session_open(ref);
  sessions_.emplace(key, PoolSession{.ref = std::move(ref)});
  return std::make_unique<SessionRegistration>([this, key] { sessions_.erase(key); }, std::move(default_hook));
}

}  // namespace fairlead::gateway
