#include <algorithm>
#include <fairlead/base/base64.hpp>
#include <utility>

#include "server/definitions.hpp"
#include "server/server_state.hpp"

namespace fairlead::server {
namespace {

/// Encodes the list and the entry after which the next page starts.
std::string make_cursor(std::string_view list, std::string_view after) {
  return base64_encode(std::string(list) + '\n' + std::string(after), Base64::url);
}

/// The entry of a cursor; nothing if the cursor does not belong to this list.
std::optional<std::string> read_cursor(std::string_view list, std::string_view cursor) {
  auto text = base64_decode(cursor, Base64::url);
  if (!text || !text->starts_with(std::string(list) + '\n')) return std::nullopt;
  return text->substr(list.size() + 1);
}

template <class Entry>
struct Page {
  std::vector<std::shared_ptr<const Entry>> entries = {};
  std::optional<std::string> next = {};
};

/// The page that `call` requests, with the entries visible to the caller.
template <class Entry>
Result<Page<Entry>> page_of(const OrderedRegistry<Entry>& registry, EntryKind kind, const ServerState& server,
                            const session::Call& call) {
  const auto params = json::decode<protocol::PaginatedParams>(call.params);
  if (!params) return refuse(ProtocolError::invalid_params, params.error().message);
  const auto& all = registry.entries();
  std::size_t at = 0;
  if (params->cursor) {
    const auto after = read_cursor(call.method, *params->cursor);
    const auto last = after ? registry.find(*after) : nullptr;
    if (!last) return refuse(ProtocolError::bad_cursor, "unknown cursor; restart the list", *params->cursor);
    at = static_cast<std::size_t>(std::find(all.begin(), all.end(), last) - all.begin()) + 1;
  }
  Page<Entry> page;
  for (; at < all.size(); ++at) {
    if (!server.is_visible(kind, all[at]->name(), call.context.principal)) continue;
    if (page.entries.size() == server.page_size) {
      page.next = make_cursor(call.method, page.entries.back()->name());
      break;
    }
    page.entries.push_back(all[at]);
  }
  return page;
}

/// The result of a list method: `define` makes the definitions of one page, which become `member` of the result.
template <class ListResult, class Entry, class Definition, class Define>
Result<session::Reply> list_page(const ServerState& server, const session::Call& call,
                                 const OrderedRegistry<Entry>& registry, EntryKind kind,
                                 std::vector<Definition> ListResult::* member, Define define) {
  auto page = page_of(registry, kind, server, call);
  if (!page) return std::unexpected(std::move(page.error()));
  ListResult result;
  for (const auto& entry : page->entries) (result.*member).push_back(define(*entry));
  result.nextCursor = std::move(page->next);
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
  const auto mode = tool.entry.task.mode;
  if (mode != TaskMode::forbidden && call.context.revision->client_requests.contains(protocol::GetTaskResult::method)) {
    auto& execution = definition.execution.emplace();
    execution.taskSupport =
        mode == TaskMode::required ? protocol::TaskSupport::required : protocol::TaskSupport::optional;
  }
  return definition;
}

Result<session::Reply> ServerState::list_tools(const session::Call& call, const Registry& all) const {
  const auto define = [&](const RegisteredTool& tool) { return tool_definition(tool, call); };
  return list_page(*this, call, all.tools, EntryKind::tool, &protocol::ListToolsResult::tools, define);
}

Result<session::Reply> ServerState::list_resources(const session::Call& call, const Registry& all) const {
  return list_page(*this, call, all.resources, EntryKind::resource, &protocol::ListResourcesResult::resources,
                   resource_definition);
}

Result<session::Reply> ServerState::list_templates(const session::Call& call, const Registry& all) const {
  return list_page(*this, call, all.templates, EntryKind::resource_template,
                   &protocol::ListResourceTemplatesResult::resourceTemplates, template_definition);
}

Result<session::Reply> ServerState::list_prompts(const session::Call& call, const Registry& all) const {
  const auto define = [](const auto& prompt) { return prompt.entry.definition; };
  return list_page(*this, call, all.prompts, EntryKind::prompt, &protocol::ListPromptsResult::prompts, define);
}

}  // namespace fairlead::server
