#include <fairlead/base/base64.hpp>
#include <utility>

#include "server/definitions.hpp"
#include "server/pagination.hpp"

namespace fairlead::server {
namespace {

template <class T>
session::Reply finish(T& result, std::optional<std::string> next, const ServerState& server) {
  result.nextCursor = std::move(next);
  if (server.ttl) result.ttlMs = server.ttl->count();
  result.cacheScope = server.cache_scope;
  return reply_of(result);
}

template <class Definition>
Definition definition_from(const ResourceOptions& options) {
  Definition definition;
  definition.name = options.name;
  definition.title = options.title;
  if (!options.description.empty()) definition.description = options.description;
  definition.mimeType = options.mime_type;
  definition.annotations = options.annotations;
  definition.icons = options.icons;
  definition._meta = options.meta;
  return definition;
}

}  // namespace

std::string make_cursor(std::string_view list, std::string_view after) {
  return base64_encode(std::string(list) + '\n' + std::string(after), Base64::url);
}

std::optional<std::string> read_cursor(std::string_view list, std::string_view cursor) {
  auto text = base64_decode(cursor, Base64::url);
  if (!text || !text->starts_with(std::string(list) + '\n')) return std::nullopt;
  return text->substr(list.size() + 1);
}

protocol::Resource resource_definition(const RegisteredResource& resource) {
  auto definition = definition_from<protocol::Resource>(resource.entry.options);
  definition.uri = resource.entry.key;
  definition.size = resource.entry.options.size;
  return definition;
}

protocol::ResourceTemplate template_definition(const RegisteredResource& resource) {
  auto definition = definition_from<protocol::ResourceTemplate>(resource.entry.options);
  definition.uriTemplate = resource.entry.key;
  return definition;
}

bool is_wrapped(const RegisteredTool& tool, const session::Call& call) {
  const auto* revision = call.context.revision;
  return tool.entry.wrapped_output && revision != nullptr &&
         revision->structured_content == protocol::StructuredContent::object;
}

protocol::Tool tool_definition(const RegisteredTool& tool, const session::Call& call) {
  auto definition = tool.entry.definition;
  if (is_wrapped(tool, call)) definition.outputSchema = tool.entry.wrapped_output;
  return definition;
}

Result<session::Reply> ServerState::list_tools(const session::Call& call, const Registry& all) const {
  auto page = page_of(all.tools, EntryKind::tool, *this, call);
  if (!page) return std::unexpected(std::move(page.error()));
  protocol::ListToolsResult result;
  for (const auto& tool : page->entries) result.tools.push_back(tool_definition(*tool, call));
  return finish(result, std::move(page->next), *this);
}

Result<session::Reply> ServerState::list_resources(const session::Call& call, const Registry& all) const {
  auto page = page_of(all.resources, EntryKind::resource, *this, call);
  if (!page) return std::unexpected(std::move(page.error()));
  protocol::ListResourcesResult result;
  for (const auto& resource : page->entries) result.resources.push_back(resource_definition(*resource));
  return finish(result, std::move(page->next), *this);
}

Result<session::Reply> ServerState::list_templates(const session::Call& call, const Registry& all) const {
  auto page = page_of(all.templates, EntryKind::resource_template, *this, call);
  if (!page) return std::unexpected(std::move(page.error()));
  protocol::ListResourceTemplatesResult result;
  for (const auto& resource : page->entries) result.resourceTemplates.push_back(template_definition(*resource));
  return finish(result, std::move(page->next), *this);
}

Result<session::Reply> ServerState::list_prompts(const session::Call& call, const Registry& all) const {
  auto page = page_of(all.prompts, EntryKind::prompt, *this, call);
  if (!page) return std::unexpected(std::move(page.error()));
  protocol::ListPromptsResult result;
  for (const auto& prompt : page->entries) result.prompts.push_back(prompt->entry.definition);
  return finish(result, std::move(page->next), *this);
}

}  // namespace fairlead::server
