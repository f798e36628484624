#include "cli/pin_report.hpp"

#include <algorithm>
#include <fairlead/json/codec.hpp>
#include <fmt/format.h>
#include <map>

#include "cli/to_text.hpp"
#include "cli/word_diff.hpp"

namespace fairlead::cli {
namespace {

using gateway::ListKind;
using gateway::PinStatus;

PinnedItem compare_item(ListKind kind, const std::string& name, PinStatus standing, std::string_view before,
                        std::string_view after) {
  PinnedItem item{.kind = std::string(gateway::pinned_kind_name(kind)),
                  .name = name,
                  .state = std::string(gateway::name(standing))};
  if (standing != PinStatus::approved)
    item.changes = gateway::changes_between(before.empty() ? "{}" : before, after.empty() ? "{}" : after);
  return item;
}

void compare_list(PinnedServer& into, ListKind kind, const ServerDefinitions& now, const gateway::Pins& approved) {
  const auto of_server = approved.find(now.server);
  auto left = of_server == approved.end() ? gateway::ServerPins::ByName() : of_server->second.of(kind);
  for (const auto& each : now.of(kind)) {
    const auto pin = gateway::pin_of(each.text);
    const auto standing = gateway::pin_status_of(approved, now.server, kind, each.key, pin.sha256);
    const auto before = left.find(each.key);
    into.items.push_back(
        compare_item(kind, each.key, standing, before == left.end() ? "" : before->second.definition, pin.definition));
    if (before != left.end()) left.erase(before);
  }
  for (const auto& [name, pin] : left)
    into.items.push_back(compare_item(kind, name, PinStatus::gone, pin.definition, ""));
}

std::string plain_text(std::string_view json) {
  const auto text = json.starts_with('"') ? json::decode<std::string>(json) : fail(ErrorKind::invalid, "");
  return text ? *text : std::string(json);
}

std::string indented(std::string text) {
  constexpr std::string_view margin = "\n        ";
  for (auto at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + margin.size())) {
    text.replace(at, 1, margin);
  }
  return text;
}

std::string show_change(const gateway::DefinitionChange& change) {
  const auto path = escape_for_terminal(change.path);
  const auto before = plain_text(change.before), after = plain_text(change.after);
  const bool both_texts = change.before.starts_with('"') && change.after.starts_with('"');
  if (both_texts) return indented(fmt::format("    {}: {}", path, show_word_diff(before, after))) + "\n";
  std::string text;
  if (!change.before.empty()) text += indented(fmt::format("  - {}: {}", path, escape_for_terminal(before))) + "\n";
  if (!change.after.empty()) text += indented(fmt::format("  + {}: {}", path, escape_for_terminal(after))) + "\n";
  return text;
}

}  // namespace

bool PinnedServer::differs() const {
  return std::ranges::any_of(items, &PinnedItem::differs);
}

PinnedServer compare(const ServerDefinitions& now, const gateway::Pins& approved, std::string file) {
  PinnedServer server{.server = now.server, .file = std::move(file), .pinned = approved.contains(now.server)};
  if (!now.answers) {
    server.error = now.error;
    return server;
  }
  for (const auto kind : gateway::pinned_kinds) compare_list(server, kind, now, approved);
  return server;
}

std::string show_pin_status(const PinnedServer& server) {
  if (server.error) return fmt::format("{}: does not respond\n", server.server);
  if (!server.pinned) {
    const auto count = server.items.size();
    return fmt::format("{}: not pinned, {} {}; approve with fairlead pin approve {}\n", server.server, count,
                       count == 1 ? "tool or prompt" : "tools and prompts", server.server);
  }
  std::map<std::string, std::size_t> counts;
  for (const auto& item : server.items) ++counts[item.state];
  std::string text = server.server + ":";
  for (const auto* state : {"approved", "changed", "new", "gone"}) {
    if (counts[state] > 0) text += fmt::format("{} {} {}", text.ends_with(':') ? "" : ",", counts[state], state);
  }
  text += '\n';
  for (const auto& item : server.items) {
    if (item.differs()) text += fmt::format("  {:<8} {} {}\n", item.state, item.kind, escape_for_terminal(item.name));
  }
  return text;
}

std::string show_description(const PinnedItem& item) {
  const auto found = std::ranges::find(item.changes, "description", &gateway::DefinitionChange::path);
  const auto text = found == item.changes.end() ? std::string() : plain_text(found->after);
  return indented(fmt::format("  {} {}: {}", item.kind, escape_for_terminal(item.name), escape_for_terminal(text))) +
         "\n";
}

std::string show_changes(const PinnedServer& server, const PinnedItem& item) {
  auto text = fmt::format("{} {} '{}': {}\n", server.server, item.kind, escape_for_terminal(item.name), item.state);
  if (item.state == "gone") return text;
  for (const auto& change : item.changes) text += show_change(change);
  return text;
}

}  // namespace fairlead::cli
