#include <algorithm>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/writer.hpp>
#include <fairlead/protocol/model/common.hpp>
#include <stdexcept>
#include <utility>

#include "gateway/aggregate/aggregator.hpp"

namespace fairlead::gateway {
namespace {

using protocol::ProtocolError;

protocol::SealBinding binding_of(const Call& call) {
  return {.principal = call.context.principal, .method = call.method, .arguments = ""};
}

void add_hints(json::ObjectWriter& result, const CacheHints& hints) {
  if (hints.ttl) result.raw("ttlMs", std::to_string(hints.ttl->count()));
  if (hints.scope) result.raw("cacheScope", json::encode(*hints.scope));
}

// The newest revision of the merged servers; null if one is unknown.
const protocol::Revision* newest_of(const BackendSet::Catalogs& all) {
  const protocol::Revision* newest = nullptr;
  for (const auto& each : all) {
    const auto* server = each->slot().backend->last_description();
    if (server == nullptr || server->revision == nullptr) return nullptr;
    if (newest == nullptr || server->revision->name > newest->name) newest = server->revision;
  }
  return newest;
}

}  // namespace

// Cursors are sealed: they must not disclose names that a filter hides.
protocol::StateSeal& Aggregator::seal() {
  if (!seal_) {
    auto fresh = protocol::StateSeal::random();
    if (!fresh) throw std::runtime_error(fresh.error().message);
    seal_ = std::move(*fresh);
  }
  return *seal_;
}

Result<std::size_t> Aggregator::first_of_page(const Call& call, const MergedList& merged) {
  const auto params = json::decode<protocol::PaginatedParams>(call.params);
  if (!params) return refuse(ProtocolError::invalid_params, params.error().message);
  if (!params->cursor) return 0;
  const auto after = seal().open(*params->cursor, binding_of(call));
  const auto* last = after ? merged.find(*after) : nullptr;
  if (!last)
    return refuse(ProtocolError::bad_cursor, "unknown cursor: start again with the first page", *params->cursor);
  return static_cast<std::size_t>(last - merged.entries().data()) + 1;
}

Result<Reply> Aggregator::page(const Call& call, ListKind kind) {
  if (!is_offered_by_any(kind)) return refuse(ProtocolError::unknown_method, "", call.method);
  const auto merged = backends_.merged(kind);
  const auto begin = first_of_page(call, *merged);
  if (!begin) return std::unexpected(begin.error());
  const auto& entries = merged->entries();
  const auto end = std::min(entries.size(), *begin + backends_.options().page_size);
  backends_.mark_shown(kind);
  std::string text;
  {
    json::ObjectWriter result(text);
    auto& items = result.plain_member(list_info(kind).member);
    items += '[';
    for (auto i = *begin; i < end; ++i) {
      if (i != *begin) items += ',';
      items += entries[i].text();
    }
    items += ']';
    if (end < entries.size()) result.text("nextCursor", seal().seal(entries[end - 1].name, binding_of(call)));
    add_hints(result, backends_.hints(kind));
  }
  return Reply{.body = json::Payload::trusted(std::move(text)), .written_in = newest_of(backends_.all())};
}

bool Aggregator::is_offered_by_any(ListKind kind) const {
  const auto& all = backends_.all();
  return all.empty() || std::ranges::any_of(all, [&](const auto& each) { return each->offers(kind).value_or(true); });
}

Task<Result<Reply>> Aggregator::list(Call& call, ListKind kind) {
  // Only the first page fetches lists, so that the pages fit together.
  const bool is_first = !string_member(call.params, "cursor");
  return is_first && !backends_.is_up_to_date(kind) ? fetch_and_list(call, kind) : page(call, kind);
}

Task<Result<Reply>> Aggregator::fetch_and_list(Call& call, ListKind kind) {
  SessionFanout::ListRequestScope request(fanout_, call.context.session_key, kind);
  std::vector<ListKind> kinds(1, kind);
  auto fetched = co_await backends_.fetch_lists(std::move(kinds), BackendSet::WaitFor::stale);
  if (!fetched) co_return std::unexpected(std::move(fetched.error()));
  auto first = page(call, kind);
  if (first) request.complete();
  co_return first;
}

}  // namespace fairlead::gateway
