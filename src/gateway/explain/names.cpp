#include "gateway/explain/names.hpp"

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

Result<ExplainedNames> ExplainedNames::make(const GatewayConfig& config, const std::vector<KnownServer>& known,
                                            const Registry& registry, const Loop& loop) {
  ExplainedNames names;
  names.config_ = &config;
  names.known_ = &known;
  auto common = made_chain(config.chain, registry, loop);
  if (!common) return std::unexpected(std::move(common.error()));
  names.common_ = std::move(*common);
  for (const auto& server : config.servers) {
    if (server.disabled) continue;
    auto chain = made_chain(server.chain, registry, loop);
    if (!chain) return std::unexpected(std::move(chain.error()));
    names.chains_.emplace(server.name, std::move(*chain));
  }
  return names;
}

const KnownServer* ExplainedNames::known(std::string_view server) const {
  const auto found = std::ranges::find(*known_, server, &KnownServer::name);
  return found == known_->end() ? nullptr : &*found;
}

const ListItem* ExplainedNames::tool_of(std::string_view server, std::string_view tool) const {
  const auto* of = known(server);
  if (!of) return nullptr;
  const auto found = std::ranges::find(of->tools, tool, &ListItem::key);
  return found == of->tools.end() ? nullptr : &*found;
}

bool ExplainedNames::complete() const {
  return std::ranges::all_of(chains_, [&](const auto& each) {
    const auto* of = known(each.first);
    return of && of->trouble.empty();
  });
}

std::string ExplainedNames::own_name(const std::string& server, const std::string& tool) const {
  const auto* of = known(server);
  if (tool_of(server, tool)) return tool;
  auto inside = inside_of(chain_of(server), inside_of(common_, tool));
  if (!of) return inside.empty() ? tool : inside;
  if (tool_of(server, inside)) return inside;
  for (const auto& each : of->tools) {
    if (among_all(server, each.key).name == inside_of(common_, tool)) return each.key;
  }
  return tool;
}

bool ExplainedNames::is_hidden(const std::string& server, const ListItem& tool) const {
  const auto& chain = chain_of(server);
  session::Call call{.method = std::string(protocol::CallTool::method),
                     .params = params_of_call(outside_of(chain, tool.key), "{}")};
  ExplainWalk walk(server, tool.text, std::move(call), std::make_shared<HeaderSets>());
  walk.pass(chain);
  return walk.decided();
}

// Those that their own chains hide clash with nobody. The one that is asked for is taken as if it were there.
std::vector<InsideNames> ExplainedNames::inside_names(const std::string& server, const std::string& own) const {
  std::vector<InsideNames> all;
  for (const auto& each : config_->servers) {
    if (each.disabled) continue;
    auto& names = all.emplace_back(InsideNames{.server = each.name, .prefix = each.prefix});
    const auto* of = known(each.name);
    for (const auto& tool : of ? of->tools : std::vector<ListItem>()) {
      const bool asked_for = each.name == server && tool.key == own;
      if (asked_for || !is_hidden(each.name, tool)) names.names.push_back(outside_of(chain_of(each.name), tool.key));
    }
    const auto name = outside_of(chain_of(each.name), own);
    if (each.name == server && std::ranges::find(names.names, name) == names.names.end()) names.names.push_back(name);
  }
  return all;
}

OutsideName ExplainedNames::found(const std::vector<InsideNames>& inside, const std::string& server,
                                  const std::string& name) const {
  const bool is_alone = inside.size() == 1 && config_->merge.prefix != PrefixPolicy::always;
  if (is_alone) return {.name = name};
  for (auto& outside : outside_names(inside, config_->merge)) {
    const auto& of = inside[outside.server];
    if (of.server == server && of.names[outside.item] == name) return outside;
  }
  return {.name = name};
}

OutsideName ExplainedNames::among_all(const std::string& server, const std::string& own) const {
  return found(inside_names(server, own), server, outside_of(chain_of(server), own));
}

OutsideName ExplainedNames::alone(const std::string& server, const std::string& own) const {
  auto inside = inside_names(server, own);
  std::erase_if(inside, [&](const auto& each) { return each.server != server; });
  return found(inside, server, outside_of(chain_of(server), own));
}

}  // namespace fairlead::gateway
