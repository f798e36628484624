#include "gateway/merge/roster.hpp"

#include <algorithm>
#include <fairlead/base/log.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <fairlead/json/object_edit.hpp>
#include <utility>

namespace fairlead::gateway {
namespace {

constexpr std::string_view component = "merge";

void complain(const Loop& loop, const Result<void>& saved) {
  if (!saved) log(loop.log, LogLevel::warning, component, [&] { return saved.error().message; });
}

}  // namespace

Roster::Roster(Loop loop, TaskScope& tasks, MergeOptions options, std::function<void(ListKind)> tell)
    : loop_(std::move(loop)),
      tasks_(tasks),
      options_(std::move(options)),
      tell_(std::move(tell)),
      landed_(loop_.executor),
      saving_(loop_.timers, [this] { complain(loop_, save()); }) {
  for (const auto kind : all_lists) rebuild(kind);
}

Roster::~Roster() {
  for (const auto& each : all_) each->retire();
}

void Roster::replace(std::vector<Seat> seats, bool attended) {
  const bool first = !std::exchange(open_, true);
  auto saved = load();
  const auto before = std::exchange(all_, {});
  for (auto& seat : seats) all_.push_back(seated(std::move(seat), before, saved));
  expect_the_same(before);
  for (const auto& old : before) {
    if (std::ranges::find(all_, old) == all_.end()) old->retire();
  }
  landed_.ring();  // Nobody waits for those who have gone.
  for (const auto kind : all_lists) {
    if (!rebuild(kind) || first) continue;
    shown(kind);
    tell_(kind);
  }
  if (first) return;
  // Who attends already should hear of what the new ones bring.
  for (const auto& catalogue : all_) {
    if (std::ranges::find(before, catalogue) != before.end()) continue;
    for (const auto kind : all_lists) {
      if (catalogue->seat().lazy) {
        // It is not started for that; whoever lists again starts it.
        if (!catalogue->list(kind).last() && shown_[std::to_underlying(kind)]) tell_(kind);
        continue;
      }
      if (attended) shown(kind);
      catalogue->list(kind).refresh();
    }
  }
}

// A server that was changed has most of what it had. What it has is not known before it has been asked, and calls of
// what was there before and will be there need not fail meanwhile.
void Roster::expect_the_same(const Catalogues& before) {
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto same = std::ranges::find(all_, before[i]->name(), [](const auto& each) { return each->name(); });
    if (same == all_.end() || *same == before[i]) continue;
    for (const auto kind : {ListKind::tools, ListKind::prompts, ListKind::resources}) {
      auto names = before[i]->list(kind).last() ? Catalogue::Names() : before[i]->expected(kind);
      for (const auto& entry : merged(kind)->entries()) {
        if (entry.server == i) names.insert_or_assign(entry.name, entry.item->key);
      }
      (*same)->expect(kind, std::move(names));
    }
  }
}

std::shared_ptr<Catalogue> Roster::seated(Seat seat, const Catalogues& before, std::vector<SavedMember>& saved) {
  for (const auto& old : before) {
    if (old->seat().member == seat.member) {
      old->set_prefix(std::move(seat.prefix));
      return old;
    }
    if (old->name() == seat.member->name()) saved.insert(saved.begin(), old->saved());
  }
  auto catalogue = std::make_shared<Catalogue>(loop_, tasks_, std::move(seat), options_.listing);
  const auto is_known = [&](const SavedMember& one) {
    return one.name == catalogue->name() && one.fingerprint == catalogue->seat().fingerprint;
  };
  const auto known = std::ranges::find_if(saved, is_known);
  if (known != saved.end() && !known->fingerprint.empty()) catalogue->restore(std::move(*known));
  for (const auto kind : all_lists) {
    catalogue->list(kind).on_landing(
        [this, whose = catalogue.get(), kind](const Listing::Landing& landing) { landed(*whose, kind, landing); });
  }
  return catalogue;
}

// Whether clients see another list than before.
bool Roster::rebuild(ListKind kind) {
  std::vector<MergedList::Source> sources;
  for (const auto& each : all_) sources.push_back({each->name(), each->seat().prefix, each->list(kind).last()});
  auto made = std::make_shared<const MergedList>(kind, std::move(sources), options_.names);
  const auto before = std::exchange(merged_[std::to_underlying(kind)], std::move(made));
  if (kind == ListKind::tools) collect_headers();
  return before && !before->shows_the_same(*merged(kind));
}

void Roster::collect_headers() {
  HeaderTable table;
  for (const auto& entry : merged(ListKind::tools)->entries()) {
    // Few tools have any, and a schema is not parsed for the sake of the others.
    if (entry.item->text.find("x-mcp-header") == std::string::npos) continue;
    auto params = protocol::collect_header_params(json::member_of(entry.item->text, "inputSchema"));
    if (params && !params->empty()) table.emplace(entry.name, std::move(*params));
  }
  headers_.with([&](auto& now) { now = std::make_shared<const HeaderTable>(std::move(table)); });
}

std::vector<protocol::HeaderParam> Roster::header_params(std::string_view tool) const {
  const auto table = headers_.with([](const auto& now) { return now; });
  const auto found = table->find(tool);
  return found == table->end() ? std::vector<protocol::HeaderParam>() : found->second;
}

void Roster::landed(Catalogue& catalogue, ListKind kind, const Listing::Landing& landing) {
  landed_.ring();
  const auto index = std::to_underlying(kind);
  const bool differs = landing.changed && rebuild(kind);
  owed_[index] = owed_[index] || landing.announced || (differs && shown_[index]);
  if (landing.changed && !options_.file.empty()) {
    saving_.arm(Deadline::in(options_.save_after, loop_.timers.clock()));
  }
  if (landing.overtaken) return;
  // Resources and templates share a notice: it is told when both are there.
  bool owed = false;
  for (const auto other : all_lists) {
    if (form_of(other).notice != form_of(kind).notice) continue;
    if (catalogue.list(other).in_flight()) return;
    owed = std::exchange(owed_[std::to_underlying(other)], false) || owed;
  }
  if (owed) tell_(kind);
}

CacheHints Roster::hints(ListKind kind) const {
  std::optional<CacheHints> all;
  for (const auto& catalogue : all_) {
    if (!catalogue->offers(kind).value_or(true)) continue;
    const auto hints = catalogue->list(kind).hints();
    all = all ? stricter(*all, hints) : hints;
  }
  return all.value_or(CacheHints{});
}

bool Roster::is_wanted(const Catalogue& catalogue, Want want) const {
  return want != Want::strangers || (!catalogue.seat().lazy && catalogue.capabilities() == nullptr);
}

bool Roster::is_awaited(const Catalogue& catalogue, ListKind kind, Want want) const {
  const auto& list = catalogue.list(kind);
  if (!list.in_flight() || !is_wanted(catalogue, want)) return false;
  if (want == Want::missing && !list.last()) return true;
  // Who was waited for in vain is not waited for again, whichever list is wanted.
  return list.trouble().empty() && !catalogue.late();
}

bool Roster::is_gathered(ListKind kind) const {
  return std::ranges::none_of(
      all_, [&](const auto& each) { return each->list(kind).due() || is_awaited(*each, kind, Want::lists); });
}

bool Roster::is_anybody_awaited(const std::vector<ListKind>& kinds, Want want) const {
  return std::ranges::any_of(kinds, [&](ListKind kind) {
    return std::ranges::any_of(all_, [&](const auto& each) { return is_awaited(*each, kind, want); });
  });
}

Task<Result<bool>> Roster::wait_for(const std::vector<ListKind>& kinds, Want want) {
  while (is_anybody_awaited(kinds, want)) co_await landed_.wait();
  co_return true;
}

Task<Result<void>> Roster::gather(std::vector<ListKind> kinds, Want want) {
  const auto now = all_;
  for (const auto& each : now) {
    for (const auto kind : kinds) {
      if (is_wanted(*each, want) && each->list(kind).due()) each->list(kind).refresh();
    }
  }
  if (!is_anybody_awaited(kinds, want)) co_return Result<void>();
  const auto until = Deadline::in(options_.deadline, loop_.timers.clock());
  const auto waited = co_await with_deadline(loop_.timers, until, wait_for(kinds, want));
  if (!waited && waited.error().kind != ErrorKind::timeout) co_return std::unexpected(waited.error());
  for (const auto& each : all_) {
    for (const auto kind : kinds) {
      if (!waited && is_awaited(*each, kind, want)) each->list(kind).mark_late(options_.deadline);
    }
  }
  co_return Result<void>();
}

std::vector<SavedMember> Roster::load() const {
  if (options_.file.empty()) return {};
  auto saved = read_catalogue(options_.file);
  if (saved) return std::move(*saved);
  log(loop_.log, LogLevel::warning, component, [&] { return saved.error().message; });
  return {};
}

Result<void> Roster::save() const {
  if (options_.file.empty()) return {};
  std::vector<SavedMember> members;
  for (const auto& each : all_) {
    if (!each->seat().fingerprint.empty() && each->capabilities()) members.push_back(each->saved());
  }
  return write_catalogue(options_.file, members);
}

}  // namespace fairlead::gateway
