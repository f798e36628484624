#include "gateway/merge/member_list.hpp"

#include <algorithm>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/reader.hpp>
#include <fairlead/jsonrpc/message.hpp>
#include <fairlead/protocol/fault.hpp>
#include <fairlead/protocol/revision.hpp>
#include <set>
#include <utility>

#include "gateway/merge/splice.hpp"

namespace fairlead::gateway {
namespace {

using session::Call;

std::optional<std::string> string_of(std::string_view object, std::string_view member) {
  const auto text = json::member_of(object, member);
  if (!text.starts_with('"')) return std::nullopt;
  auto value = json::decode<std::string>(text);
  return value ? std::optional(std::move(*value)) : std::nullopt;
}

Call ask_for(ListKind kind, const std::optional<std::string>& cursor) {
  Call call{.method = std::string(form_of(kind).method), .params = json::Payload::trusted("{}")};
  if (cursor) {
    protocol::PaginatedParams params;
    params.cursor = cursor;
    call.params = json::to_payload(params);
  }
  call.context.revision = &protocol::newest_handshake();
  return call;
}

std::size_t bytes_of(const MemberList& list) {
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

bool add_items(MemberList& list, std::string_view array, ListKind kind, const ListLimits& limits) {
  if (!array.starts_with('[')) return true;
  auto bytes = bytes_of(list);
  json::Reader reader(array);
  for (reader.open(); reader.more();) {
    const auto text = reader.skip();
    auto key = repeats_itself(text) ? std::nullopt : string_of(text, form_of(kind).key);
    if (!key || key->empty()) {
      ++list.strange;
      continue;
    }
    bytes += text.size();
    list.cut = list.items.size() >= limits.items || bytes > limits.bytes;
    if (list.cut) return false;
    list.items.push_back({std::move(*key), std::string(text)});
  }
  return true;
}

bool says_unknown_method(const Error& error) {
  if (error.kind != ErrorKind::refused) return false;
  return error.code == jsonrpc::code::method_not_found || protocol::fault_of(error) == protocol::Fault::unknown_method;
}

Task<Result<MemberList>> fetch_list(Member& member, ListKind kind, ListLimits limits) {
  MemberList list;
  std::set<std::string> seen;
  std::optional<std::string> cursor;
  std::size_t bytes = 0;
  for (std::size_t page = 0; page < limits.pages; ++page) {
    auto call = ask_for(kind, cursor);
    auto reply = co_await member.call(call);
    // Many who offer resources have no templates, and do not even know the question.
    if (!reply && page == 0 && says_unknown_method(reply.error())) co_return list;
    if (!reply) co_return std::unexpected(std::move(reply.error()));
    if (reply->kind != protocol::ResultKind::complete) {
      co_return fail(ErrorKind::malformed, "the server did not answer with a list");
    }
    const auto result = reply->body.text();
    const auto hints = read_hints(result);
    list.hints = page == 0 ? hints : stricter(list.hints, hints);
    cursor = string_of(result, "nextCursor");
    if (!add_items(list, json::member_of(result, form_of(kind).member), kind, limits)) co_return list;
    if (!cursor || !seen.insert(*cursor).second) co_return list;
    // Of all that is sent, and not only of the items that are kept: cursors and empty pages cost as much.
    bytes += result.size();
    if (bytes > limits.bytes) break;
  }
  list.cut = true;
  co_return list;
}

}  // namespace fairlead::gateway
