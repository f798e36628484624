#include "gateway/explain/explain.hpp"

#include <fairlead/auth/api_keys.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/protocol/revision.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include "base/closest_match.hpp"
#include "config/secret_mask.hpp"
#include "gateway/explain/call_target.hpp"
#include "gateway/explain/tool_names.hpp"
#include "gateway/pin/pins.hpp"

namespace fairlead::gateway {
namespace {

using Effect = Explanation::Effect;

/// Which scopes the call needs, and by which rules.
Explanation by_scopes(const auth::ScopePolicy& policy, const std::string& tool, const ExplainRequest& question) {
  const auto needed = policy.needed(protocol::CallTool::method, tool);
  if (needed.empty()) return {.summary = "needs no scope"};
  const auto why = fmt::format("needs the scopes {} ({})", fmt::join(needed, ", "),
                               fmt::join(policy.matching(protocol::CallTool::method, tool), "; "));
  if (question.scopes.empty()) return {.summary = why};
  if (policy.allows(question.scopes, needed)) return {.summary = why + ", which the caller has"};
  return {Effect::refuses, fmt::format("{}, but the caller has {}", why, fmt::join(question.scopes, ", "))};
}

Explanation at_the_listener(const ListenConfig& listen, const std::string& caller) {
  if (listen.oauth.enabled()) {
    if (caller.empty()) return {Effect::refuses, "requires an OAuth token, but no caller is given; use --as"};
    return {.summary = "authenticates " + caller + " by an OAuth token"};
  }
  const bool authenticates = !listen.keys.empty() || !listen.keys_file.empty() || !listen.tls.client_ca.empty();
  if (!authenticates || !listen.http) return {.summary = "does not require authentication"};
  if (caller.empty()) return {Effect::refuses, "requires a key, but no caller is given; use --as"};
  if (!listen.tls.client_ca.empty()) return {.summary = "authenticates " + caller + " by certificate or key"};
  bool is_known = listen.keys.contains(caller);
  if (const auto keys =
          listen.keys_file.empty() ? Result<std::vector<auth::ApiKey>>() : auth::read_api_keys(listen.keys_file)) {
    for (const auto& key : *keys) is_known = is_known || key.principal == caller;
  }
  if (!is_known) return {Effect::refuses, "has no key of " + caller};
  return {.summary = "authenticates " + caller + " by key"};
}

Explanation at_the_merge(const ClientName& name, const std::string& server, const std::string& inside,
                         const NamingConfig& rules) {
  if (name.change == NameChange::hidden) {
    return {Effect::refuses, fmt::format("'{}' belongs to an earlier server, which hides this one", name.name)};
  }
  std::string why;
  if (name.change == NameChange::prefixed) {
    why = rules.prefix == PrefixPolicy::always ? ": all names have prefixes" : ": another server has that name too";
  }
  if (name.change == NameChange::disambiguated) why = ": the short name is taken";
  if (name.change == NameChange::truncated) why = fmt::format(": names have at most {} characters", rules.max_length);
  if (name.name == inside) return {.summary = fmt::format("'{}' is {}'s", inside, server)};
  return {.summary = fmt::format("'{}' is {}'s '{}'{}", name.name, server, inside, why)};
}

/// Explains one call on each route.
class Explaining {
 public:
  Explaining(const GatewayConfig& config, const ExplainRequest& request, const ExplainedToolNames& names)
      : config_(config),
        server_(*config.find(request.server)),
        question_(request),
        names_(names),
        own_(names.own_name(request.server, request.tool)) {}

  Explained whole() {
    Explained all{.server = server_.name, .tool = own_, .caller = question_.caller};
    all.clients = listen_addresses(config_.listen);
    all.address = server_address(server_);
    all.transport = transport_to(server_);
    const auto& mcp = config_.listen.paths.mcp;
    auto main = walk(all, config_.listen.base_path + mcp, names_.among_all(server_.name, own_), true);
    walk(all, config_.listen.base_path + "/s/" + server_.name + mcp, names_.alone(server_.name, own_), false);
    const auto* known = names_.known(server_.name);
    const auto* revision = known && known->revision ? known->revision : protocol::find_revision(server_.revision);
    if (revision) {
      all.revision = revision->name;
      all.era = revision->lifecycle == protocol::Lifecycle::handshake ? "handshake" : "stateless";
    }
    if (!server_.url.empty()) all.headers = headers_to(server_, ending_of(main, revision));
    all.settings = settings_of(server_, main.call().timeouts);
    note_unknown(all);
    return all;
  }

 private:
  CallTarget ending_of(const ExplainRun& gone, const protocol::Revision* revision) const {
    const auto* tool = names_.tool_of(server_.name, own_);
    return {.revision = revision,
            .tool = own_,
            .schema = tool ? json::member_of(tool->text, "inputSchema") : "",
            .arguments = question_.arguments,
            .set = gone.headers()};
  }

  ExplainRun walk(Explained& into, std::string path, const ClientName& name, bool among_all) const {
    const auto called = client_name_of(names_.common(), name.name);
    const auto* tool = names_.tool_of(server_.name, own_);
    ExplainRun going(server_.name, tool ? tool->text : "", call_of(called));
    going.note("listen", at_the_listener(config_.listen, question_.caller));
    if (config_.listen.oauth.enabled()) {
      const auto policy = auth::ScopePolicy::make(config_.listen.oauth.scopes);
      if (policy) going.note("scopes", by_scopes(*policy, called, question_));
    }
    going.pass(names_.common());
    const auto& chain = names_.chain_of(server_.name);
    const auto inside = client_name_of(chain, own_);
    const bool merges = (among_all && config_.servers.size() > 1) || name.name != inside;
    if (merges) going.note("naming", at_the_merge(name, server_.name, inside, config_.naming));
    if (!going.decided()) going.rename(inside);
    going.pass(chain);
    going.note(server_.name, at_the_server());
    into.routes.push_back({.path = std::move(path),
                           .name = called,
                           .allowed = going.allowed(),
                           .verdict = going.verdict(),
                           .steps = going.steps()});
    return going;
  }

  session::Call call_of(const std::string& called) const {
    session::Call call{.method = std::string(protocol::CallTool::method),
                       .params = params_of_call(called, question_.arguments),
                       .timeouts = session::Timeouts::endless()};
    call.context.principal = question_.caller;
    if (!question_.scopes.empty()) {
      call.context.identity = std::make_shared<const http::Identity>(
          http::Identity{.principal = question_.caller, .scopes = question_.scopes});
    }
    return call;
  }

  Explanation at_the_server() const {
    const auto* known = names_.known(server_.name);
    if (!known) return {.summary = "was not contacted; its tools are unknown"};
    if (!known->error.empty()) return {Effect::unknown, "does not respond: " + known->error};
    if (names_.tool_of(server_.name, own_)) return {.summary = fmt::format("is called for '{}'", own_)};
    std::vector<std::string> names;
    for (const auto& tool : known->tools) names.push_back(tool.key);
    const auto near = closest_match(own_, names);
    return {Effect::refuses,
            fmt::format("has no tool '{}'{}", own_, near ? "; did you mean '" + *near + "'?" : std::string())};
  }

  void note_unknown(Explained& all) const {
    if (!names_.complete()) {
      all.unknown.emplace_back("not all servers have listed their tools: another one may have this name");
    }
    if (!all.revision) all.unknown.emplace_back("the revision of the server is unknown");
  }

  const GatewayConfig& config_;
  const ServerConfig& server_;
  const ExplainRequest& question_;
  const ExplainedToolNames& names_;
  std::string own_;
};

}  // namespace

Result<Explained> explain(const GatewayConfig& config, const ExplainRequest& request,
                          const std::vector<KnownServer>& known, const Registry& registry, const EventLoop& loop) {
  const auto whole = with_pins(config);
  const auto* server = whole.find(request.server);
  if (!server) return fail(ErrorKind::invalid, fmt::format("no server is called '{}'", request.server));
  if (server->disabled) return fail(ErrorKind::invalid, fmt::format("{} is disabled", server->name));
  const auto names = ExplainedToolNames::make(whole, known, registry, loop);
  if (!names) return std::unexpected(names.error());
  return Explaining(whole, request, *names).whole();
}

}  // namespace fairlead::gateway
