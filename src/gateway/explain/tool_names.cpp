#include "gateway/explain/tool_names.hpp"

#include <algorithm>
#include <fairlead/json/writer.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <utility>

namespace fairlead::gateway {

json::Payload params_of_call(std::string_view tool, std::string_view arguments) {
  std::string text;
  json::ObjectWriter(text).text("name", tool).raw("arguments", arguments);
  return json::Payload::trusted(std::move(text));
}

Result<ExplainedToolNames> ExplainedToolNames::make(const GatewayConfig& config, const std::vector<KnownServer>& known,
                                                    const Registry& registry, const EventLoop& loop) {
  ExplainedToolNames names;
  names.config_ = &config;
  names.known_ = &known;
  auto common = build_chain(config.chain, registry, loop);
  if (!common) return std::unexpected(std::move(common.error()));
  names.common_ = std::move(*common);
  for (const auto& server : config.servers) {
    if (server.disabled) continue;
    auto chain = build_chain(server.chain, registry, loop);
    if (!chain) return std::unexpected(std::move(chain.error()));
    names.chains_.emplace(server.name, std::move(*chain));
  }
  return names;
}

const KnownServer* ExplainedToolNames::known(std::string_view server) const {
  const auto found = std::ranges::find(*known_, server, &KnownServer::name);
  return found == known_->end() ? nullptr : &*found;
}

const ListItem* ExplainedToolNames::tool_of(std::string_view server, std::string_view tool) const {
  const auto* of = known(server);
  if (!of) return nullptr;
  const auto found = std::ranges::find(of->tools, tool, &ListItem::key);
  return found == of->tools.end() ? nullptr : &*found;
}

bool ExplainedToolNames::complete() const {
  return std::ranges::all_of(chains_, [&](const auto& each) {
    const auto* of = known(each.first);
    return of && of->error.empty();
  });
}

std::string ExplainedToolNames::own_name(const std::string& server, const std::string& tool) const {
  const auto* of = known(server);
  if (tool_of(server, tool)) return tool;
  auto inside = server_name_of(chain_of(server), server_name_of(common_, tool));
  if (!of) return inside.empty() ? tool : inside;
  if (tool_of(server, inside)) return inside;
  for (const auto& each : of->tools) {
    if (among_all(server, each.key).name == server_name_of(common_, tool)) return each.key;
  }
  return tool;
}

bool ExplainedToolNames::is_hidden(const std::string& server, const ListItem& tool) const {
  const auto& chain = chain_of(server);
  session::Call call{.method = std::string(protocol::CallTool::method),
                     .params = params_of_call(client_name_of(chain, tool.key), "{}")};
  ExplainRun walk(server, tool.text, std::move(call));
  walk.pass(chain);
  return walk.decided();
}

// Hidden tools cause no clashes. The tool in question is assumed to exist.
std::vector<UpstreamNames> ExplainedToolNames::inside_names(const std::string& server, const std::string& own) const {
  std::vector<UpstreamNames> all;
  for (const auto& each : config_->servers) {
    if (each.disabled) continue;
    auto& names = all.emplace_back(UpstreamNames{.server = each.name, .prefix = each.prefix});
    const auto* of = known(each.name);
    for (const auto& tool : of ? of->tools : std::vector<ListItem>()) {
      const bool call_label = each.name == server && tool.key == own;
      if (call_label || !is_hidden(each.name, tool))
        names.names.push_back(client_name_of(chain_of(each.name), tool.key));
    }
    const auto name = client_name_of(chain_of(each.name), own);
    if (each.name == server && std::ranges::find(names.names, name) == names.names.end()) names.names.push_back(name);
  }
  return all;
}

ClientName ExplainedToolNames::found(const std::vector<UpstreamNames>& inside, const std::string& server,
                                     const std::string& name) const {
  const bool passes_through_single = inside.size() == 1 && config_->naming.prefix != PrefixPolicy::always;
  if (passes_through_single) return {.name = name};
  for (auto& outside : client_names(inside, config_->naming)) {
    const auto& of = inside[outside.server];
    if (of.server == server && of.names[outside.item] == name) return outside;
  }
  return {.name = name};
}

ClientName ExplainedToolNames::among_all(const std::string& server, const std::string& own) const {
  return found(inside_names(server, own), server, client_name_of(chain_of(server), own));
}

ClientName ExplainedToolNames::alone(const std::string& server, const std::string& own) const {
  auto inside = inside_names(server, own);
  std::erase_if(inside, [&](const auto& each) { return each.server != server; });
  return found(inside, server, client_name_of(chain_of(server), own));
}

}  // namespace fairlead::gateway
