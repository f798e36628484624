#include <algorithm>
#include <fairlead/json/object_edit.hpp>
#include <utility>

#include "gateway/merge/merge.hpp"

namespace fairlead::gateway {
namespace {

using protocol::ServerCapabilities;
using Settings = std::optional<protocol::Settings>;

// Who comes first has his way with what two say differently.
void join(Settings& all, const Settings& more) {
  if (!more) return;
  if (!all) all.emplace();
  all->insert(more->begin(), more->end());
}

void join(json::Extra& all, const json::Extra& more) {
  for (const auto& member : more.members) {
    const auto is_it = [&](const auto& known) { return known.first == member.first; };
    if (std::ranges::none_of(all.members, is_it)) all.members.push_back(member);
  }
}

// Of what can be listed, changes are told even where its server does not: servers come and go.
void offer_lists(ServerCapabilities& all, bool tools, bool prompts, bool resources) {
  if (tools && !all.tools) all.tools = protocol::ListChanged{.listChanged = true};
  if (prompts && !all.prompts) all.prompts = protocol::ListChanged{.listChanged = true};
  if (resources && !all.resources) all.resources = protocol::ResourcesCapability{.listChanged = true};
}

void join(ServerCapabilities& all, const ServerCapabilities& more) {
  offer_lists(all, more.tools.has_value(), more.prompts.has_value(), more.resources.has_value());
  if (more.resources && more.resources->subscribe.value_or(false)) all.resources->subscribe = true;
  if (!all.completions) all.completions = more.completions;
  if (!all.logging) all.logging = more.logging;
  // No extension: its methods cannot be routed between several servers.
  join(all.experimental, more.experimental);
  join(all.extra, more.extra);
}

void offer_extensions(ServerCapabilities& all, const Roster::Catalogues& catalogues) {
  const auto* can = catalogues.size() == 1 ? catalogues.front()->capabilities() : nullptr;
  if (can) all.extensions = can->extensions;
}

// Whose a task is is remembered from its beginning; a list of them all there is only where one server has any.
void join_tasks(ServerCapabilities& all, const Roster::Catalogues& catalogues) {
  const auto has_tasks = [](const auto& each) { return each->capabilities() && each->capabilities()->tasks; };
  const auto count = std::ranges::count_if(catalogues, has_tasks);
  if (count == 0) return;
  all.tasks = (*std::ranges::find_if(catalogues, has_tasks))->capabilities()->tasks;
  if (count > 1) all.tasks = json::Payload::trusted(json::ObjectEdit(all.tasks->text()).erase("list").text());
}

std::string cut(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) --most;
  text.resize(most);
  return text + "…";
}

std::optional<std::string> join_instructions(const Roster::Catalogues& catalogues, std::size_t most) {
  std::string all;
  for (const auto& each : catalogues) {
    const auto own = each->instructions();
    if (own.empty()) continue;
    if (catalogues.size() == 1) return cut(own, most);
    if (!all.empty()) all += "\n\n";
    all += "# " + each->name() + "\n\n" + own;
  }
  return all.empty() ? std::nullopt : std::optional(cut(std::move(all), most));
}

}  // namespace

Task<Result<client::ServerDescription>> Merge::merged_description() {
  std::vector<ListKind> kinds(1, ListKind::tools);
  auto gathered = co_await roster_.gather(std::move(kinds), Roster::Want::strangers);
  if (!gathered) co_return std::unexpected(std::move(gathered.error()));
  client::ServerDescription all;
  for (const auto& each : roster_.all()) {
    if (const auto* can = each->capabilities()) {
      join(all.capabilities, *can);
    } else {
      offer_lists(all.capabilities, true, true, true);
    }
  }
  // Servers may come later.
  if (roster_.all().empty()) offer_lists(all.capabilities, true, true, true);
  join_tasks(all.capabilities, roster_.all());
  offer_extensions(all.capabilities, roster_.all());
  all.instructions = join_instructions(roster_.all(), roster_.options().max_instructions);
  co_return all;
}

}  // namespace fairlead::gateway
