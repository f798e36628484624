#include <algorithm>
#include <fairlead/protocol/extension.hpp>
#include <fairlead/protocol/method_aliases.hpp>
#include <utility>

#include "server/definitions.hpp"
#include "server/server_state.hpp"

namespace fairlead::server {
namespace {

// The aliases of these methods return additional members.
bool uses_alias(const session::Call& call) {
  const auto* alias = protocol::find_alias(call.context.original_method);
  return alias != nullptr && alias->method == call.method;
}

template <class T>
void add_list(json::ObjectWriter& object, std::string_view name, const std::vector<T>& list) {
  json::write_elements(object.member(name), list);
}

// All lists in one result, for the alias of server/discover.
void add_lists(json::ObjectWriter& object, const ServerState& server, const std::string& principal) {
  const auto all = server.registry();
  std::vector<protocol::Tool> tools;
  std::vector<protocol::Resource> resources;
  std::vector<protocol::Prompt> prompts;
  for (const auto& tool : all->tools.entries()) {
    if (server.is_visible(EntryKind::tool, tool->name(), principal)) tools.push_back(tool->entry.definition);
  }
  for (const auto& resource : all->resources.entries()) {
    if (server.is_visible(EntryKind::resource, resource->name(), principal))
      resources.push_back(resource_definition(*resource));
  }
  for (const auto& prompt : all->prompts.entries()) {
    if (server.is_visible(EntryKind::prompt, prompt->name(), principal)) prompts.push_back(prompt->entry.definition);
  }
  add_list(object, "tools", tools);
  add_list(object, "resources", resources);
  add_list(object, "prompts", prompts);
}

// Tasks can be listed only where callers can be told apart.
json::Payload legacy_tasks_capability(const session::Call& call) {
  const std::string rest = R"("cancel":{},"requests":{"tools":{"call":{}}}})";
  return json::Payload::trusted((call.context.principal.empty() ? "{" : R"({"list":{},)") + rest);
}

}  // namespace

bool ServerState::offers_logging() const {
  if (logging) return *logging;
  const auto takes = [](const auto& entry) { return entry->entry.handler.takes_context; };
  const auto all = registry();
  return std::ranges::any_of(all->tools.entries(), takes) || std::ranges::any_of(all->resources.entries(), takes) ||
         std::ranges::any_of(all->templates.entries(), takes) || std::ranges::any_of(all->prompts.entries(), takes);
}

protocol::ServerCapabilities ServerState::capabilities(const protocol::Revision& revision) const {
  const auto all = registry();
  protocol::ServerCapabilities capabilities;
  if (!all->tools.empty()) capabilities.tools.emplace().listChanged = true;
  if (!all->prompts.empty()) capabilities.prompts.emplace().listChanged = true;
  if (!all->resources.empty() || !all->templates.empty()) {
    auto& resources = capabilities.resources.emplace();
    resources.subscribe = true;
    resources.listChanged = true;
  }
  if (!all->completions.empty()) capabilities.completions = json::Payload::trusted("{}");
  if (offers_logging()) capabilities.logging = json::Payload::trusted("{}");
  auto declared = extensions;
  if (tasks.offered) declared.try_emplace(std::string(protocol::extension::tasks), json::Payload::trusted("{}"));
  std::erase_if(declared, [&](const auto& each) {
    const auto* known = protocol::find_extension(each.first);
    return known != nullptr && !known->exists_in(revision);
  });
  if (!declared.empty()) capabilities.extensions = std::move(declared);
  return capabilities;
}

Result<session::Reply> ServerState::initialize(const session::Call& call) const {
  protocol::InitializeResult result;
  result.protocolVersion = call.context.revision->name;
  result.capabilities = capabilities(*call.context.revision);
  if (has_legacy_tasks(*call.context.revision)) result.capabilities.tasks = legacy_tasks_capability(call);
  result.serverInfo = info;
  result.instructions = instructions;
  if (uses_alias(call)) result.serverName = info.name;
  return reply_of(result);
}

Result<session::Reply> ServerState::discover(const session::Call& call) const {
  protocol::DiscoverResult result;
  for (const auto& revision : protocol::revisions()) {
    if (revision.lifecycle == protocol::Lifecycle::stateless) result.supportedVersions.emplace_back(revision.name);
  }
  result.capabilities = capabilities(*call.context.revision);
  result.instructions = instructions;
  if (ttl) result.ttlMs = ttl->count();
  result.cacheScope = cache_scope;
  if (!uses_alias(call)) return reply_of(result);
  std::string text = json::encode(result);
  text.pop_back();
  std::string more;
  {
    json::ObjectWriter object(more);
    object.raw("serverInfo", json::encode(info));
    add_lists(object, *this, call.context.principal);
  }
  text += "," + more.substr(1);
  return session::Reply{.body = json::Payload::trusted(std::move(text))};
}

}  // namespace fairlead::server
