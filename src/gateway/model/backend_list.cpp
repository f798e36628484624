#include "gateway/model/backend_list.hpp"

#include <algorithm>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/reader.hpp>
#include <fairlead/jsonrpc/message.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <fairlead/protocol/revision.hpp>
#include <set>

#include "gateway/model/json_rewrite.hpp"

namespace fairlead::gateway {
namespace {

std::optional<std::string> string_of(std::string_view object, std::string_view member) {
  const auto text = json::member_of(object, member);
  if (!text.starts_with('"')) return std::nullopt;
  auto value = json::decode<std::string>(text);
  return value ? std::optional(std::move(*value)) : std::nullopt;
}

Call list_request(ListKind kind, const std::optional<std::string>& cursor) {
  Call call{.method = std::string(list_info(kind).method), .params = json::Payload::trusted("{}")};
  if (cursor) {
    protocol::PaginatedParams params;
    params.cursor = cursor;
    call.params = json::to_payload(params);
  }
  call.context.revision = &protocol::newest_handshake();
  return call;
}

std::size_t bytes_of(const BackendList& list) {
  std::size_t bytes = 0;
  for (const auto& item : list.items) bytes += item.text.size();
  return bytes;
}

}  // namespace

CacheHints read_hints(std::string_view result) {
  CacheHints hints;
  const auto ttl = json::member_of(result, "ttlMs");
  const auto milliseconds = ttl.empty() ? -1 : json::decode<std::int64_t>(ttl).value_or(-1);
  if (milliseconds >= 0) hints.ttl = std::chrono::milliseconds(milliseconds);
  const auto scope = json::member_of(result, "cacheScope");
  if (const auto known = json::decode<protocol::CacheScope>(scope); !scope.empty() && known) hints.scope = *known;
  return hints;
}

CacheHints stricter(const CacheHints& left, const CacheHints& right) {
  CacheHints both;
  if (left.ttl && right.ttl) both.ttl = std::min(*left.ttl, *right.ttl);
  if (left.scope && right.scope) {
    const bool shared = *left.scope == protocol::CacheScope::public_ && left.scope == right.scope;
    both.scope = shared ? protocol::CacheScope::public_ : protocol::CacheScope::private_;
  }
  return both;
}

bool add_items(BackendList& list, std::string_view array, ListKind kind, const ListLimits& limits) {
  if (!array.starts_with('[')) return true;
  auto bytes = bytes_of(list);
  json::Reader reader(array);
  for (reader.open(); reader.more();) {
    const auto text = reader.skip();
    auto key = has_duplicate_keys(text) ? std::nullopt : string_of(text, list_info(kind).key);
    if (!key || key->empty()) {
      ++list.skipped;
      continue;
    }
    bytes += text.size();
    list.truncated = list.items.size() >= limits.items || bytes > limits.bytes;
    if (list.truncated) return false;
    list.items.push_back({std::move(*key), std::string(text)});
  }
  return true;
}

bool is_unknown_method(const Error& error) {
  if (error.kind != ErrorKind::refused) return false;
  return error.code == jsonrpc::code::method_not_found ||
         protocol::protocol_error_of(error) == protocol::ProtocolError::unknown_method;
}

Task<Result<BackendList>> fetch_list(Backend& backend, ListKind kind, ListLimits limits) {
  BackendList list;
  std::set<std::string> seen;
  std::optional<std::string> cursor;
  std::size_t bytes = 0;
  for (std::size_t page = 0; page < limits.pages; ++page) {
    auto call = list_request(kind, cursor);
    auto reply = co_await backend.call(call);
    // Many servers with resources do not implement resources/templates/list.
    if (!reply && page == 0 && is_unknown_method(reply.error())) co_return list;
    if (!reply) co_return std::unexpected(std::move(reply.error()));
    if (reply->kind != protocol::ResultKind::complete) {
      co_return fail(ErrorKind::malformed, "the server did not answer with a list");
    }
    const auto result = reply->body.text();
    const auto hints = read_hints(result);
    list.hints = page == 0 ? hints : stricter(list.hints, hints);
    cursor = string_of(result, "nextCursor");
    if (!add_items(list, json::member_of(result, list_info(kind).member), kind, limits)) co_return list;
    if (!cursor || !seen.insert(*cursor).second) co_return list;
    // Counts everything that was sent: cursors and empty pages need memory and time too.
    bytes += result.size();
    if (bytes > limits.bytes) break;
  }
  list.truncated = true;
  co_return list;
}

}  // namespace fairlead::gateway
