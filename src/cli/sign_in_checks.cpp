#include "cli/sign_in_checks.hpp"

#include <fmt/format.h>
#include <utility>

#include "auth/client/metadata.hpp"
#include "cli/credentials.hpp"
#include "cli/run_loop.hpp"

namespace fairlead::cli {
namespace {

using Findings = std::vector<CheckResult>;

std::string challenge_text(const auth::Challenge& challenge) {
  if (!challenge.bearer && !challenge.dpop) return "401 without a Bearer or DPoP challenge";
  return fmt::format("401 with a {} challenge{}", challenge.dpop ? "DPoP" : "Bearer",
                     challenge.resource_metadata.empty() ? "" : " that names " + challenge.resource_metadata);
}

CheckResult check_registration(const std::string& about, const auth::OAuthOptions& options,
                               const auth::ServerMetadata& server) {
  if (!options.client_id.empty()) return {about, "ok", "registration: the configured client id"};
  if (server.client_id_metadata_document_supported.value_or(false) && !options.client_metadata_url.empty()) {
    return {about, "ok", "registration: a client metadata document"};
  }
  if (server.registration_endpoint) return {about, "ok", "registration: dynamic, at " + *server.registration_endpoint};
  return {
      about, "bad", "registration: the authorization server does not register clients by itself",
      "register a client there, with the redirect URI http://127.0.0.1/callback, and sign in with --client-id <id>"};
}

void add_discovered(const std::string& about, const auth::OAuthOptions& options, const auth::Discovered& found,
                    Findings& into) {
  into.push_back(
      found.has_resource_metadata
          ? CheckResult{about, "ok", "protected resource metadata: names " + found.issuer}
          : CheckResult{about, "note", "protected resource metadata: none; the server itself is the issuer"});
  into.push_back(found.has_server_metadata
                     ? CheckResult{about, "ok", "authorization server metadata: PKCE with S256"}
                     : CheckResult{about, "note", "authorization server metadata: none; default endpoints are used"});
  into.push_back(check_registration(about, options, found.server));
}

Task<void> follow_sign_in(EventLoop loop, std::string server, auth::OAuthOptions options, Findings* into) {
  const auto about = "sign-in to " + server;
  const auto challenge = co_await auth::fetch_challenge(loop, options);
  if (!challenge || challenge->status != 401) co_return;
  into->push_back({about, "ok", challenge_text(*challenge)});
  const auto found = co_await auth::discover(loop, options, *challenge, std::string());
  if (!found) {
    into->push_back({about, "bad", "discovery: " + found.error().message,
                     "the operator of the server must correct this; until then, use a token: --bearer or headers"});
    co_return;
  }
  add_discovered(about, options, *found, *into);
  if (into->back().state == "bad") co_return;
  into->push_back({about, "note", "not signed in", "fairlead login " + server});
}

}  // namespace

std::vector<CheckResult> check_sign_in(const std::vector<gateway::ServerConfig>& servers) {
  std::vector<std::pair<std::string, auth::OAuthOptions>> protected_servers;
  for (const auto& server : servers) {
    const ChosenServer chosen{.configured = server};
    auto options = sign_in_options(chosen, {});
    if (options && may_sign_in(server)) {
      protected_servers.emplace_back(server.name, *std::move(options));
    }
  }
  std::vector<Findings> found(protected_servers.size());
  run_for_each(protected_servers.size(), [&](EventLoop loop, std::size_t index) {
    const auto& [name, options] = protected_servers[index];
    return follow_sign_in(std::move(loop), name, options, &found[index]);
  });
  Findings all;
  for (auto& each : found)
    all.insert(all.end(), std::make_move_iterator(each.begin()), std::make_move_iterator(each.end()));
  return all;
}

}  // namespace fairlead::cli
