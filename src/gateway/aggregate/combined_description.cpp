#include <algorithm>
#include <fairlead/json/object_edit.hpp>
#include <utility>

#include "gateway/aggregate/aggregator.hpp"

namespace fairlead::gateway {
namespace {

namespace extension = protocol::extension;
using protocol::ServerCapabilities;
using Settings = std::optional<protocol::Settings>;

// The first server wins where two differ.
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

// Changes are announced even if the server does not: a reload adds and removes servers.
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
  join(all.experimental, more.experimental);
  join(all.extra, more.extra);
}

// Skills are read by directory only if all servers with skills allow it.
void join_skills(protocol::Settings& all, const json::Payload& more) {
  const auto& id = std::string(protocol::extension::skills);
  const auto [known, added] = all.try_emplace(id, more);
  if (!added && json::member_of(more, "directoryRead") != "true") {
    known->second = json::Payload::trusted(json::ObjectEdit(known->second.text()).erase("directoryRead").text());
  }
}

// The first server wins where two differ.
void join_extensions(ServerCapabilities& all, const BackendSet::Catalogs& catalogs,
                     const std::function<bool(std::string_view)>& routes) {
  protocol::Settings joined;
  for (const auto& each : catalogs) {
    const auto* can = each->capabilities();
    const bool has_tasks = each->backend().last_description() && each->backend().offers_extension(extension::tasks);
    if (has_tasks) joined.try_emplace(std::string(extension::tasks), json::Payload::trusted("{}"));
    if (can == nullptr || !can->extensions) continue;
    for (const auto& [id, settings] : *can->extensions) {
      if (id == protocol::extension::skills) {
        join_skills(joined, settings);
      } else if (routes(id)) {
        joined.try_emplace(id, settings);
      }
    }
  }
  if (!joined.empty()) all.extensions = std::move(joined);
}

// Tasks are routed by their ids; `tasks/list` works with a single server only.
void join_tasks(ServerCapabilities& all, const BackendSet::Catalogs& catalogs) {
  const auto has_tasks = [](const auto& each) { return each->capabilities() && each->capabilities()->tasks; };
  const auto count = std::ranges::count_if(catalogs, has_tasks);
  if (count == 0) return;
  all.tasks = (*std::ranges::find_if(catalogs, has_tasks))->capabilities()->tasks;
  if (count > 1) all.tasks = json::Payload::trusted(json::ObjectEdit(all.tasks->text()).erase("list").text());
}

std::string truncated(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) --most;
  text.resize(most);
  return text + "…";
}

std::optional<std::string> join_instructions(const BackendSet::Catalogs& catalogs, std::size_t most) {
  std::string all;
  for (const auto& each : catalogs) {
    const auto own = each->instructions();
    if (own.empty()) continue;
    if (catalogs.size() == 1) return truncated(own, most);
    if (!all.empty()) all += "\n\n";
    all += "# " + each->name() + "\n\n" + own;
  }
  return all.empty() ? std::nullopt : std::optional(truncated(std::move(all), most));
}

}  // namespace

Task<Result<client::ServerDescription>> Aggregator::combined_description() {
  std::vector<ListKind> kinds(1, ListKind::tools);
  auto fetched = co_await backends_.fetch_lists(std::move(kinds), BackendSet::WaitFor::uninitialized);
  if (!fetched) co_return std::unexpected(std::move(fetched.error()));
  client::ServerDescription all;
  for (const auto& each : backends_.all()) {
    if (const auto* can = each->capabilities()) {
      join(all.capabilities, *can);
    } else {
      offer_lists(all.capabilities, true, true, true);
    }
  }
  // A reload may add servers.
  if (backends_.all().empty()) offer_lists(all.capabilities, true, true, true);
  join_tasks(all.capabilities, backends_.all());
  join_extensions(all.capabilities, backends_.all(), [this](std::string_view id) { return routes_extension(id); });
  all.instructions = join_instructions(backends_.all(), backends_.options().max_instructions);
  co_return all;
}

}  // namespace fairlead::gateway
