#include "gateway/upstream/header_keyed_pool.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <utility>

#include "base/scope_exit.hpp"
#include "gateway/upstream/upstream_errors.hpp"

namespace fairlead::gateway {

using session::Call;
using session::Reply;

namespace {

Task<void> stop_backend(BackendHandle entry) {
  co_await entry.stop();
}

}  // namespace

HeaderKeyedPool::HeaderKeyedPool(const EventLoop& loop, std::shared_ptr<HeaderSets> sets, BackendHandle default_backend,
                                 Make make)
    : clock_(loop.timers.clock()),
      scope_(loop.executor, loop.log, default_backend.backend->name()),
      sets_(std::move(sets)),
      default_(std::move(default_backend)),
      make_(std::move(make)),
      sweep_timer_(loop.timers, [this] { retire_unused(); }) {}

Task<void> HeaderKeyedPool::stop() {
  stopped_ = true;
  sweep_timer_.disarm();
  for (auto& [key, session] : sessions_) session.hooks.clear();
  for (auto& [names, entry] : std::exchange(entries_, {})) co_await entry->backend.stop();
  co_await default_.stop();
  co_await scope_.join();
  scope_.cancel();
}

HeaderKeyedPool::Entries::iterator HeaderKeyedPool::retire(Entries::iterator entry) {
  for (auto& [key, session] : sessions_) session.hooks.erase(entry->first);
  scope_.spawn(stop_backend(entry->second->backend));
  return entries_.erase(entry);
}

// Removes entries whose header sets no chain uses any more.
void HeaderKeyedPool::retire_unknown() {
  const auto exists = [&](const auto& name) { return sets_->contains(name); };
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    entry = entry->second->scoped || std::ranges::all_of(entry->first, exists) ? std::next(entry) : retire(entry);
  }
}

bool HeaderKeyedPool::is_used(const Entries::value_type& entry) const {
  const auto uses_entry = [&](const auto& session) { return session.second.hooks.contains(entry.first); };
  return entry.second->in_use > 0 || std::ranges::any_of(sessions_, uses_entry);
}

void HeaderKeyedPool::retire_unused() {
  const auto since = clock_.now() - idle_timeout;
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    const bool expired = entry->second->scoped && entry->second->last_used <= since && !is_used(*entry);
    entry = expired ? retire(entry) : std::next(entry);
  }
  const bool any = std::ranges::any_of(entries_, [](const auto& entry) { return entry.second->scoped; });
  if (any) sweep_timer_.arm(Deadline::in(idle_timeout, clock_));
}

void HeaderKeyedPool::retire_oldest(const std::function<bool(const Entry&)>& filter) {
  auto oldest = entries_.end();
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    const bool evictable = entry->second->scoped && !is_used(*entry) && filter(*entry->second);
    if (evictable && (oldest == entries_.end() || entry->second->last_used < oldest->second->last_used)) oldest = entry;
  }
  if (oldest != entries_.end()) retire(oldest);
}

std::size_t HeaderKeyedPool::scoped_entries_of(const CallerId& caller) const {
  const auto is_own = [&](const auto& entry) { return entry.second->scoped && entry.second->opened_by == caller; };
  return static_cast<std::size_t>(std::ranges::count_if(entries_, is_own));
}

std::vector<UpstreamState> HeaderKeyedPool::states() const {
  auto all = default_.states();
  for (const auto& [names, entry] : entries_) {
    auto more = entry->backend.states();
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

void HeaderKeyedPool::reset_backoff() {
  default_.reset_backoff();
  for (auto& [names, entry] : entries_) entry->backend.reset_backoff();
}

// Entries of the same caller are removed first.
Result<std::shared_ptr<HeaderKeyedPool::Entry>> HeaderKeyedPool::open_entry(const Names& names,
                                                                            const CallerId& caller) {
  if (stopped_) return std::unexpected(stopped(name()));
  retire_unknown();
  const bool scoped = sets_->any_is_scoped(names);
  const auto is_own = [&](const Entry& entry) { return entry.opened_by == caller; };
  if (scoped && (entries_.size() >= max_entries || scoped_entries_of(caller) >= max_entries_per_caller))
    retire_oldest(is_own);
  if (scoped && scoped_entries_of(caller) >= max_entries_per_caller) {
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
  const auto entry = std::make_shared<Entry>(
      Entry{.backend = make_(sets_->find(names)), .scoped = scoped, .opened_by = caller, .last_used = clock_.now()});
  if (entry->scoped && !sweep_timer_.armed()) sweep_timer_.arm(Deadline::in(idle_timeout, clock_));
  return entries_.emplace(names, entry).first->second;
}

Result<std::shared_ptr<HeaderKeyedPool::Entry>> HeaderKeyedPool::entry_for(const Call& call) {
  const auto names = sets_->requested_by(call.params);
  if (names.empty() || !make_) return nullptr;
  const auto found = entries_.find(names);
  auto entry = found == entries_.end() ? open_entry(names, caller_of(call.context)) : found->second;
  if (!entry) return entry;
  const auto session = sessions_.find(call.context.session_key);
  if (session != sessions_.end() && !session->second.hooks.contains(names)) {
    session->second.hooks.emplace(names, (*entry)->backend.backend->on_session_open(session->second.ref));
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
  if (!*entry) co_return co_await default_.backend->describe_for(call);
  const auto end_of_use = use(*entry);
  co_return co_await (*entry)->backend.backend->describe_for(call);
}

const client::ServerDescription* HeaderKeyedPool::last_description() const {
  if (const auto* known = default_.backend->last_description()) return known;
  for (const auto& [names, entry] : entries_) {
    // A description that was obtained with a client's credentials is not shared.
    if (const auto* known = entry->scoped ? nullptr : entry->backend.backend->last_description()) return known;
  }
  return nullptr;
}

Task<Result<Reply>> HeaderKeyedPool::call(Call& call) {
  return requests_headers(call.params) ? call_with_headers(call) : default_.backend->call(call);
}

Task<Result<Reply>> HeaderKeyedPool::call_with_headers(Call& call) {
  auto entry = entry_for(call);
  if (!entry) co_return std::unexpected(std::move(entry.error()));
  auto forwarded = call;
  forwarded.params = with_requested_headers(call.params, {});
  if (!*entry) co_return co_await default_.backend->call(forwarded);
  const auto end_of_use = use(*entry);
  co_return co_await (*entry)->backend.backend->call(forwarded);
}

Task<void> HeaderKeyedPool::notify(session::Notification& notice) {
  const auto session = sessions_.find(notice.session_key);
  std::vector<std::shared_ptr<Backend>> targets;
  if (session != sessions_.end()) {
    for (const auto& [names, attendance] : session->second.hooks)
      targets.push_back(entries_.at(names)->backend.backend);
  }
  if (targets.empty()) targets.push_back(default_.backend);
  for (const auto& backend : targets) co_await backend->notify(notice);
}

std::unique_ptr<session::SessionHook> HeaderKeyedPool::on_session_open(session::SessionRef ref) {
  const auto key = ref.key;
  auto default_hook = default_.backend->on_session_open(ref);
  if (make_) sessions_.emplace(key, PoolSession{.ref = std::move(ref)});
  return std::make_unique<SessionRegistration>([this, key] { sessions_.erase(key); }, std::move(default_hook));
}

}  // namespace fairlead::gateway
