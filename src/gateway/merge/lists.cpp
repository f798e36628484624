#include <algorithm>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/writer.hpp>
#include <fairlead/protocol/model/common.hpp>
#include <stdexcept>
#include <utility>

#include "gateway/merge/merge.hpp"

namespace fairlead::gateway {
namespace {

using protocol::Fault;
using session::Call;
using session::Reply;

protocol::SealBinding binding_of(const Call& call) {
  return {.principal = call.context.principal, .method = call.method, .arguments = ""};
}

void add_hints(json::ObjectWriter& result, const CacheHints& hints) {
  if (hints.ttl) result.raw("ttlMs", std::to_string(hints.ttl->count()));
  if (hints.scope) result.raw("cacheScope", json::encode(*hints.scope));
}

// The newest revision among the servers whose definitions are merged; null where one of them is not known yet.
const protocol::Revision* newest_of(const Roster::Catalogues& all) {
  const protocol::Revision* newest = nullptr;
  for (const auto& each : all) {
    const auto* server = each->seat().member->known();
    if (server == nullptr || server->revision == nullptr) return nullptr;
    if (newest == nullptr || server->revision->name > newest->name) newest = server->revision;
  }
  return newest;
}

}  // namespace

// What is in a cursor must say nothing of names that a filter in front of us hides.
protocol::StateSeal& Merge::seal() {
  if (!seal_) {
    auto fresh = protocol::StateSeal::random();
    if (!fresh) throw std::runtime_error(fresh.error().message);
    seal_ = std::move(*fresh);
  }
  return *seal_;
}

Result<std::size_t> Merge::first_of_page(const Call& call, const MergedList& merged) {
  const auto params = json::decode<protocol::PaginatedParams>(call.params);
  if (!params) return refuse(Fault::invalid_params, params.error().message);
  if (!params->cursor) return 0;
  const auto after = seal().open(*params->cursor, binding_of(call));
  const auto* last = after ? merged.find(*after) : nullptr;
  if (!last) return refuse(Fault::bad_cursor, "start the list anew: this cursor leads nowhere", *params->cursor);
  return static_cast<std::size_t>(last - merged.entries().data()) + 1;
}

Result<Reply> Merge::page(const Call& call, ListKind kind) {
  if (!is_offered_by_any(kind)) return refuse(Fault::unknown_method, "", call.method);
  const auto merged = roster_.merged(kind);
  const auto begin = first_of_page(call, *merged);
  if (!begin) return std::unexpected(begin.error());
  const auto& entries = merged->entries();
  const auto end = std::min(entries.size(), *begin + roster_.options().page_size);
  roster_.shown(kind);
  std::string text;
  {
    json::ObjectWriter result(text);
    auto& items = result.plain_member(form_of(kind).member);
    items += '[';
    for (auto i = *begin; i < end; ++i) {
      if (i != *begin) items += ',';
      items += entries[i].text();
    }
    items += ']';
    if (end < entries.size()) result.text("nextCursor", seal().seal(entries[end - 1].name, binding_of(call)));
    add_hints(result, roster_.hints(kind));
  }
  return Reply{.body = json::Payload::trusted(std::move(text)), .written_in = newest_of(roster_.all())};
}

bool Merge::is_offered_by_any(ListKind kind) const {
  const auto& all = roster_.all();
  return all.empty() || std::ranges::any_of(all, [&](const auto& each) { return each->offers(kind).value_or(true); });
}

Task<Result<Reply>> Merge::list(Call& call, ListKind kind) {
  // Pages belong together, as far as that can be: only the first one asks the servers.
  if (named_by(call.params, "cursor")) co_return page(call, kind);
  Attendants::Getting getting(attendants_, call.context.conversation, kind);
  std::vector<ListKind> kinds(1, kind);
  auto gathered = co_await roster_.gather(std::move(kinds), Roster::Want::lists);
  if (!gathered) co_return std::unexpected(std::move(gathered.error()));
  auto first = page(call, kind);
  if (first) getting.got();
  co_return first;
}

}  // namespace fairlead::gateway
