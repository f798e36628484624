#include "gateway/model/tool_page.hpp"

#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>

namespace fairlead::gateway {
namespace {

constexpr std::string_view flat_member = "ui/resourceUri";

std::optional<std::string> text_of(std::string_view json) {
  auto text = json.starts_with('"') ? json::decode<std::string>(json) : Result<std::string>(std::string());
  return text && !text->empty() ? std::optional(std::move(*text)) : std::nullopt;
}

}  // namespace

std::optional<std::string> page_of_tool(std::string_view tool) {
  if (!tool.contains("esourceUri")) return std::nullopt;
  const auto meta = json::member_of(tool, "_meta");
  if (auto page = text_of(json::member_of(json::member_of(meta, "ui"), "resourceUri"))) return page;
  return text_of(json::member_of(meta, flat_member));
}

std::string without_page(std::string_view tool) {
  json::ObjectEdit meta(json::member_of(tool, "_meta"));
  meta.erase(flat_member);
  json::ObjectEdit ui(meta.get("ui"));
  if (ui.erase("resourceUri").changed()) meta.set("ui", ui.text());
  json::ObjectEdit whole(tool);
  return whole.set("_meta", meta.text()).text();
}

}  // namespace fairlead::gateway
