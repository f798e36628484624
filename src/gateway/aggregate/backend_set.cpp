#include "gateway/aggregate/backend_set.hpp"

#include <algorithm>
#include <fairlead/base/log.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <fairlead/json/object_edit.hpp>

namespace fairlead::gateway {
namespace {

constexpr std::string_view component = "aggregate";

void log_save_error(const EventLoop& loop, const Result<void>& saved) {
  if (!saved) log(loop.log, LogLevel::warning, component, [&] { return saved.error().message; });
}

}  // namespace

BackendSet::BackendSet(EventLoop loop, TaskScope& tasks, AggregatorOptions options,
                       std::function<void(ListKind)> on_change)
    : loop_(std::move(loop)),
      tasks_(tasks),
      options_(std::move(options)),
      on_change_(std::move(on_change)),
      list_fetched_(loop_.executor),
      save_timer_(loop_.timers, [this] { log_save_error(loop_, save()); }) {
  for (const auto kind : all_lists) rebuild(kind);
}

BackendSet::~BackendSet() {
  for (const auto& each : all_) each->retire();
}

void BackendSet::replace(std::vector<BackendSlot> slots, bool has_sessions) {
  const bool first = !std::exchange(has_started_, true);
  auto saved = load();
  const auto before = std::exchange(all_, {});
  for (auto& slot : slots) all_.push_back(slot_catalog(std::move(slot), before, saved));
  keep_expected_names(before);
  for (const auto& old : before) {
    if (std::ranges::find(all_, old) == all_.end()) old->retire();
  }
  list_fetched_.notify();  // Wakes requests that wait for removed backends.
  for (const auto kind : all_lists) {
    if (!rebuild(kind) || first) continue;
    mark_shown(kind);
    on_change_(kind);
  }
  if (first) return;
  // Connected clients must be notified of the lists of new backends.
  for (const auto& catalog : all_) {
    if (std::ranges::find(before, catalog) != before.end()) continue;
    for (const auto kind : all_lists) {
      if (catalog->slot().lazy) {
        // A lazy server is started by the next list request.
        if (!catalog->list(kind).last() && shown_[std::to_underlying(kind)]) on_change_(kind);
        continue;
      }
      if (has_sessions) mark_shown(kind);
      catalog->list(kind).refresh();
    }
  }
}

// A changed server usually offers the same items. Until its new list is known, calls are routed by the old names.
void BackendSet::keep_expected_names(const Catalogs& before) {
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto same = std::ranges::find(all_, before[i]->name(), [](const auto& each) { return each->name(); });
    if (same == all_.end() || *same == before[i]) continue;
    for (const auto kind : {ListKind::tools, ListKind::prompts, ListKind::resources}) {
      auto names = before[i]->list(kind).last() ? BackendCatalog::Names() : before[i]->expected(kind);
      for (const auto& entry : merged(kind)->entries()) {
        if (entry.server == i) names.insert_or_assign(entry.name, entry.item->key);
      }
      (*same)->expect_names(kind, std::move(names));
    }
  }
}

std::shared_ptr<BackendCatalog> BackendSet::slot_catalog(BackendSlot slot, const Catalogs& before,
                                                         std::vector<SavedBackend>& saved) {
  for (const auto& old : before) {
    if (old->slot().backend == slot.backend) {
      old->set_prefix(std::move(slot.prefix));
      return old;
    }
    if (old->name() == slot.backend->name()) saved.insert(saved.begin(), old->saved());
  }
  auto catalog = std::make_shared<BackendCatalog>(loop_, tasks_, std::move(slot), options_.lists);
  const auto is_known = [&](const SavedBackend& one) {
    return one.name == catalog->name() && one.fingerprint == catalog->slot().fingerprint;
  };
  const auto known = std::ranges::find_if(saved, is_known);
  if (known != saved.end() && !known->fingerprint.empty()) catalog->restore(std::move(*known));
  for (const auto kind : all_lists) {
    catalog->list(kind).on_fetched([this, owner = catalog.get(), kind](const CachedList::FetchOutcome& outcome) {
      on_list_fetched(*owner, kind, outcome);
    });
  }
  return catalog;
}

// Returns whether clients see a different list.
bool BackendSet::rebuild(ListKind kind) {
  std::vector<MergedList::Source> sources;
  for (const auto& each : all_) sources.push_back({each->name(), each->slot().prefix, each->list(kind).last()});
  auto made = std::make_shared<const MergedList>(kind, std::move(sources), options_.names);
  const auto before = std::exchange(merged_[std::to_underlying(kind)], std::move(made));
  if (kind == ListKind::tools) collect_headers();
  return before && !before->is_visibly_equal(*merged(kind));
}

void BackendSet::collect_headers() {
  HeaderTable table;
  for (const auto& entry : merged(ListKind::tools)->entries()) {
    // Most tools have none: avoids parsing their schemas.
    if (entry.item->text.find("x-mcp-header") == std::string::npos) continue;
    auto params = protocol::collect_header_params(json::member_of(entry.item->text, "inputSchema"));
    if (params && !params->empty()) table.emplace(entry.name, std::move(*params));
  }
  headers_.with([&](auto& now) { now = std::make_shared<const HeaderTable>(std::move(table)); });
}

std::vector<protocol::HeaderParam> BackendSet::header_params(std::string_view tool) const {
  const auto table = headers_.with([](const auto& now) { return now; });
  const auto found = table->find(tool);
  return found == table->end() ? std::vector<protocol::HeaderParam>() : found->second;
}

void BackendSet::on_list_fetched(BackendCatalog& catalog, ListKind kind, const CachedList::FetchOutcome& outcome) {
  list_fetched_.notify();
  const auto index = std::to_underlying(kind);
  const bool differs = outcome.changed && rebuild(kind);
  pending_change_[index] = pending_change_[index] || outcome.announced || (differs && shown_[index]);
  if (outcome.changed && !options_.file.empty()) {
    save_timer_.arm(Deadline::in(options_.save_after, loop_.timers.clock()));
  }
  if (outcome.superseded) return;
  // Resources and templates share a notification: it is sent when both lists are fetched.
  bool owed = false;
  for (const auto other : all_lists) {
    if (list_info(other).changed_method != list_info(kind).changed_method) continue;
    if (catalog.list(other).in_flight()) return;
    owed = std::exchange(pending_change_[std::to_underlying(other)], false) || owed;
  }
  if (owed) on_change_(kind);
}

CacheHints BackendSet::hints(ListKind kind) const {
  std::optional<CacheHints> all;
  for (const auto& catalog : all_) {
    if (!catalog->offers(kind).value_or(true)) continue;
    const auto hints = catalog->list(kind).hints();
    all = all ? stricter(*all, hints) : hints;
  }
  return all.value_or(CacheHints{});
}

bool BackendSet::is_relevant(const BackendCatalog& catalog, WaitFor wait) const {
  return wait != WaitFor::uninitialized || (!catalog.slot().lazy && catalog.capabilities() == nullptr);
}

bool BackendSet::is_awaited(const BackendCatalog& catalog, ListKind kind, WaitFor wait) const {
  const auto& list = catalog.list(kind);
  if (!list.in_flight() || !is_relevant(catalog, wait)) return false;
  if (wait == WaitFor::missing && !list.last()) return true;
  // A backend that timed out once is not waited for again, whichever list is requested.
  return list.problem().empty() && !catalog.overdue();
}

bool BackendSet::is_up_to_date(ListKind kind) const {
  return std::ranges::none_of(
      all_, [&](const auto& each) { return each->list(kind).due() || is_awaited(*each, kind, WaitFor::stale); });
}

bool BackendSet::is_any_awaited(const std::vector<ListKind>& kinds, WaitFor wait) const {
  return std::ranges::any_of(kinds, [&](ListKind kind) {
    return std::ranges::any_of(all_, [&](const auto& each) { return is_awaited(*each, kind, wait); });
  });
}

Task<Result<bool>> BackendSet::wait_for(const std::vector<ListKind>& kinds, WaitFor wait) {
  while (is_any_awaited(kinds, wait)) co_await list_fetched_.wait();
  co_return true;
}

Task<Result<void>> BackendSet::fetch_lists(std::vector<ListKind> kinds, WaitFor wait) {
  const auto now = all_;
  for (const auto& each : now) {
    for (const auto kind : kinds) {
      if (is_relevant(*each, wait) && each->list(kind).due()) each->list(kind).refresh();
    }
  }
  if (!is_any_awaited(kinds, wait)) co_return Result<void>();
  const auto until = Deadline::in(options_.list_timeout, loop_.timers.clock());
  const auto waited = co_await with_deadline(loop_.timers, until, wait_for(kinds, wait));
  if (!waited && waited.error().kind != ErrorKind::timeout) co_return std::unexpected(waited.error());
  for (const auto& each : all_) {
    for (const auto kind : kinds) {
      if (!waited && is_awaited(*each, kind, wait)) each->list(kind).mark_overdue(options_.list_timeout);
    }
  }
  co_return Result<void>();
}

std::vector<SavedBackend> BackendSet::load() const {
  if (options_.file.empty()) return {};
  auto saved = read_catalog(options_.file);
  if (saved) return std::move(*saved);
  log(loop_.log, LogLevel::warning, component, [&] { return saved.error().message; });
  return {};
}

Result<void> BackendSet::save() const {
  if (options_.file.empty()) return {};
  std::vector<SavedBackend> backends;
  for (const auto& each : all_) {
    if (!each->slot().fingerprint.empty() && each->capabilities()) backends.push_back(each->saved());
  }
  return write_catalog(options_.file, backends);
}

}  // namespace fairlead::gateway
