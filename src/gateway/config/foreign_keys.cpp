#include "gateway/config/foreign_keys.hpp"

#include <array>
#include <fmt/format.h>
#include <utility>

#include "config/field_codec.hpp"
#include "gateway/config/auth_codec.hpp"

namespace fairlead::gateway {
namespace {

using Texts = std::map<std::string, std::string>;

constexpr std::string_view with_brace = "{env:";
constexpr std::string_view with_dollar = "$env:";

std::string our_variables(std::string_view text) {
  std::string out;
  if (text.starts_with(with_dollar)) return fmt::format("${{{}}}", text.substr(with_dollar.size()));
  while (true) {
    const auto at = text.find(with_brace);
    const auto end = at == std::string_view::npos ? at : text.find('}', at);
    const bool is_ours = at != std::string_view::npos && at > 0 && text[at - 1] == '$';
    if (end == std::string_view::npos || is_ours) return out += text;
    out += text.substr(0, at);
    const auto name = at + with_brace.size();
    out += fmt::format("${{{}}}", text.substr(name, end - name));
    text.remove_prefix(end + 1);
  }
}

void read_enabled(const ForeignEntry& entry, const config::NodeRef& ref) {
  bool enabled = true;
  config::FieldCodec<bool>::read(entry.context, ref, enabled);
  entry.server.disabled = !enabled;
}

void read_seconds(const ForeignEntry& entry, const config::NodeRef& ref, Duration& into) {
  const auto given = entry.context.text(ref);
  if (!given) return;
  const auto value = config::read_time(given->text + "s", ref.node.text);
  if (!value) return entry.context.error(ref, value.error().message);
  into = *value;
  entry.context.record_source(ref, given->variables);
}

// The value is the name of an environment variable.
void read_named(const ForeignEntry& entry, const config::NodeRef& ref, std::string_view before, std::string& into) {
  const auto name = entry.context.text(ref);
  const auto given = name ? entry.context.text(ref, fmt::format("${{{}}}", name->text)) : std::nullopt;
  if (!given) return;
  into = std::string(before) + given->text;
  entry.context.record_source(ref, given->variables);
}

void read_named_headers(const ForeignEntry& entry, const config::NodeRef& ref) {
  if (!entry.context.is(ref, config::Node::Kind::map)) return;
  for (const auto& child : ref.node.children) {
    read_named(entry, ref.member(child), "", entry.server.headers[child.key]);
  }
}

// Tool lists become an `allow` or `deny` step of the server's chain.
void read_tools(const ForeignEntry& entry, const config::NodeRef& ref, std::string step) {
  std::vector<std::string> names;
  config::FieldCodec<std::vector<std::string>>::read(entry.context, ref, names);
  MiddlewareConfig filter{.name = std::move(step), .at = entry.context.origin(ref)};
  for (auto& name : names) filter.arguments.emplace_back("tool", std::move(name));
  if (!filter.arguments.empty()) entry.server.chain.push_back(std::move(filter));
}

struct ForeignKey {
  std::string_view key;
  void (*read)(const ForeignEntry&, const config::Node&);
};

// A block of another form belongs to that program only.
void read_auth(const ForeignEntry& entry, const config::Node& node) {
  const auto ref = entry.ref.member(node, "auth");
  if (read_foreign_auth(entry.context, ref, entry.server.auth) || node.key != "auth") return;
  if (node.kind == config::Node::Kind::map || node.text == "oauth") {
    ServerAuthCodec::read(entry.context, ref, entry.server.auth);
  }
}

constexpr auto foreign_keys = std::to_array<ForeignKey>({
    {"auth", [](const auto& entry, const auto& node) { read_auth(entry, node); }},
    {"oauth", [](const auto& entry, const auto& node) { read_auth(entry, node); }},
    {"enabled", [](const auto& entry, const auto& node) { read_enabled(entry, entry.ref.member(node, "disabled")); }},
    {"environment",
     [](const auto& entry, const auto& node) {
       config::FieldCodec<Texts>::read(entry.context, entry.ref.member(node, "env"), entry.server.env);
     }},
    {"http_headers",
     [](const auto& entry, const auto& node) {
       config::FieldCodec<Texts>::read(entry.context, entry.ref.member(node, "headers"), entry.server.headers);
     }},
    {"env_http_headers",
     [](const auto& entry, const auto& node) { read_named_headers(entry, entry.ref.member(node, "headers")); }},
    {"bearer_token_env_var",
     [](const auto& entry, const auto& node) {
       read_named(entry, entry.ref.member(node, "headers"), "Bearer ", entry.server.headers["Authorization"]);
     }},
    {"bearerTokenEnv",
     [](const auto& entry, const auto& node) {
       read_named(entry, entry.ref.member(node, "headers"), "Bearer ", entry.server.headers["Authorization"]);
     }},
    {"startup_timeout_sec",
     [](const auto& entry, const auto& node) {
       read_seconds(entry, entry.ref.member(node, "start_timeout"), entry.server.start_timeout);
     }},
    {"tool_timeout_sec",
     [](const auto& entry, const auto& node) {
       read_seconds(entry, entry.ref.member(node, "timeout"), entry.server.timeout);
     }},
    {"enabled_tools",
     [](const auto& entry, const auto& node) { read_tools(entry, entry.ref.member(node, "chain"), "allow"); }},
    {"disabled_tools",
     [](const auto& entry, const auto& node) { read_tools(entry, entry.ref.member(node, "chain"), "deny"); }},
});

}  // namespace

bool read_foreign_member(const ForeignEntry& entry, const config::Node& child) {
  for (const auto& each : foreign_keys) {
    if (each.key != child.key) continue;
    each.read(entry, child);
    return true;
  }
  return false;
}

config::Node with_own_variables(config::Node tree) {
  if (tree.kind == config::Node::Kind::scalar) tree.text = our_variables(tree.text);
  for (auto& child : tree.children) child = with_own_variables(std::move(child));
  return tree;
}

}  // namespace fairlead::gateway
