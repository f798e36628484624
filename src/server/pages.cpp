#include <algorithm>
#include <fairlead/base/utf8.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/writer.hpp>
#include <fairlead/protocol/extension.hpp>
#include <stdexcept>
#include <utility>

#include "server/context_state.hpp"

namespace fairlead::server {
namespace {

void add_origins(json::ObjectWriter& object, std::string_view name, const std::vector<std::string>& origins) {
  if (!origins.empty()) object.raw(name, json::encode(origins));
}

std::string csp_json(const PageOptions& options) {
  std::string text;
  {
    json::ObjectWriter csp(text);
    add_origins(csp, "connectDomains", options.connect);
    add_origins(csp, "resourceDomains", options.resources);
    add_origins(csp, "frameDomains", options.frames);
    add_origins(csp, "baseUriDomains", options.base_uris);
  }
  return text;
}

std::string permissions_json(const PageOptions& options) {
  std::string text;
  {
    json::ObjectWriter permissions(text);
    if (options.camera) permissions.raw("camera", "{}");
    if (options.microphone) permissions.raw("microphone", "{}");
    if (options.geolocation) permissions.raw("geolocation", "{}");
    if (options.clipboard_write) permissions.raw("clipboardWrite", "{}");
  }
  return text;
}

/// The `_meta` of a page; nothing if all options have their defaults.
std::optional<json::Payload> page_meta(const PageOptions& options) {
  const auto csp = csp_json(options);
  const auto permissions = permissions_json(options);
  std::string text;
  {
    json::ObjectWriter ui(text);
    if (csp != "{}") ui.raw("csp", csp);
    if (permissions != "{}") ui.raw("permissions", permissions);
    if (options.domain) ui.text("domain", *options.domain);
    if (options.border) ui.raw("prefersBorder", *options.border ? "true" : "false");
  }
  if (text == "{}") return std::nullopt;
  return json::Payload::trusted(R"({"ui":)" + text + "}");
}

ResourceOptions resource_options(const std::string& uri, const PageOptions& page) {
  return {.name = page.name.empty() ? uri : page.name,
          .description = page.description,
          .title = page.title,
          .mime_type = std::string(page_mime_type),
          .meta = page_meta(page)};
}

std::string tool_ui_json(const ToolUi& ui) {
  std::string text;
  {
    json::ObjectWriter object(text);
    if (!ui.page.empty()) object.text("resourceUri", ui.page);
    object.raw("visibility", !ui.for_app ? R"(["model"])" : ui.for_model ? R"(["model","app"])" : R"(["app"])");
  }
  return text;
}

}  // namespace

std::optional<json::Payload> with_tool_ui(std::optional<json::Payload> meta, const ToolUi& ui) {
  if (ui.page.empty() && ui.for_app && ui.for_model) return meta;
  json::ObjectEdit edit(meta ? meta->text() : "{}");
  edit.set("ui", tool_ui_json(ui));
  if (!ui.page.empty()) edit.set("ui/resourceUri", json::encode(ui.page));
  return json::Payload::trusted(edit.text());
}

Server& Server::page(std::string uri, std::string html, PageOptions options) {
  return try_register([&] {
    if (!uri.starts_with("ui://")) throw std::invalid_argument("page '" + uri + "': the URI must start with ui://");
    if (!is_utf8(html)) throw std::invalid_argument("page '" + uri + "': the HTML is not UTF-8");
    auto described = resource_options(uri, options);
    // Hosts use the `_meta` of the contents; that of the list is for review.
    protocol::TextResourceContents contents{
        .uri = uri, .mimeType = described.mime_type, .text = std::move(html), ._meta = described.meta};
    state_->add(make_resource(uri, false, std::move(described), [contents = std::move(contents)] { return contents; }));
    state_->extensions.try_emplace(std::string(protocol::extension::ui), json::Payload::trusted("{}"));
  });
}

bool Context::shows_pages() const {
  const auto& extensions = caller().capabilities.extensions;
  if (!extensions) return false;
  const auto found = extensions->find(std::string(protocol::extension::ui));
  if (found == extensions->end()) return false;
  const auto types = json::member_of(found->second.text(), "mimeTypes");
  const auto shown = json::decode<std::vector<std::string>>(types.empty() ? "[]" : types);
  return shown && std::ranges::find(*shown, page_mime_type) != shown->end();
}

std::string ServerState::missing_page(const ToolEntry& tool) const {
  const auto& page = tool.ui.page;
  const auto all = registry();
  const auto serves_it = [&](const auto& entry) { return entry->uri_template->match(page).has_value(); };
  if (page.empty() || all->resources.find(page) || std::ranges::any_of(all->templates.entries(), serves_it)) return {};
  return "tool '" + tool.definition.name + "': the page " + page + " is not registered; call Server::page";
}

}  // namespace fairlead::server
