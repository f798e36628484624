#include "gateway/model/list_kind.hpp"

#include <fairlead/protocol/extension.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <utility>

namespace fairlead::gateway {
namespace {

constexpr std::array<ListInfo, all_lists.size()> forms = {{
    {protocol::ListTools::method, "tools", "name", protocol::ToolListChanged::method},
    {protocol::ListPrompts::method, "prompts", "name", protocol::PromptListChanged::method},
    {protocol::ListResources::method, "resources", "uri", protocol::ResourceListChanged::method},
    {protocol::ListResourceTemplates::method, "resourceTemplates", "uriTemplate",
     protocol::ResourceListChanged::method},
    {"skills/list", "skills", "uri", protocol::ResourceListChanged::method},
}};

template <class Capability>
bool announces(const std::optional<Capability>& capability) {
  return capability && capability->listChanged.value_or(false);
}

}  // namespace

const ListInfo& list_info(ListKind kind) {
  return forms[std::to_underlying(kind)];
}

std::optional<ListKind> list_kind_of(std::string_view method) {
  for (const auto kind : all_lists) {
    if (list_info(kind).method == method) return kind;
  }
  return std::nullopt;
}

bool is_offered(ListKind kind, const protocol::ServerCapabilities& capabilities) {
  switch (kind) {
    case ListKind::tools: return capabilities.tools.has_value();
    case ListKind::prompts: return capabilities.prompts.has_value();
    case ListKind::skills: return protocol::declares_extension(capabilities.extensions, protocol::extension::skills);
    case ListKind::resources:
    case ListKind::templates: break;
  }
  return capabilities.resources.has_value();
}

bool announces_changes(ListKind kind, const protocol::ServerCapabilities& capabilities) {
  switch (kind) {
    case ListKind::tools: return announces(capabilities.tools);
    case ListKind::prompts: return announces(capabilities.prompts);
    case ListKind::resources:
    case ListKind::templates:
    case ListKind::skills: break;
  }
  return announces(capabilities.resources);
}

}  // namespace fairlead::gateway
