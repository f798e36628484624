#include "gateway/model/list_items.hpp"

#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/reader.hpp>

#include "gateway/model/json_rewrite.hpp"

namespace fairlead::gateway {
namespace {

std::optional<std::string> key_of_item(std::string_view item, ListKind kind) {
  const auto text = json::member_of(item, list_info(kind).key);
  if (!text.starts_with('"') || has_duplicate_keys(item)) return std::nullopt;
  auto key = json::decode<std::string>(text);
  return key ? std::optional(std::move(*key)) : std::nullopt;
}

}  // namespace

json::Payload with_items(json::Payload result, ListKind kind, const ItemChange& change) {
  const auto text = result.text();
  const auto array = json::member_of(text, list_info(kind).member);
  if (!array.starts_with('[')) return result;
  std::string items = "[";
  bool changed = false;
  json::Reader reader(array);
  for (reader.open(); reader.more();) {
    const auto item = reader.skip();
    const auto shown = change(item, key_of_item(item, kind));
    changed = changed || shown != item;
    if (shown.empty()) continue;
    if (items.size() > 1) items += ',';
    items += shown;
  }
  if (!changed) return result;
  const auto begin = static_cast<std::size_t>(array.data() - text.data());
  std::string whole(text.substr(0, begin));
  whole += items + "]";
  whole += text.substr(begin + array.size());
  return json::Payload::trusted(std::move(whole));
}

void for_each_item(const json::Payload& result, ListKind kind,
                   const std::function<void(std::string_view item, const std::string& key)>& visit) {
  const auto array = json::member_of(result.text(), list_info(kind).member);
  if (!array.starts_with('[')) return;
  json::Reader reader(array);
  for (reader.open(); reader.more();) {
    const auto item = reader.skip();
    if (const auto key = key_of_item(item, kind)) visit(item, *key);
  }
}

}  // namespace fairlead::gateway
