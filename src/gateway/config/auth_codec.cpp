#include "gateway/config/auth_codec.hpp"

#include <array>
#include <fairlead/base/redactor.hpp>

#include "config/text_codecs.hpp"
#include "gateway/config/enum_names.hpp"

namespace fairlead::gateway {
namespace {

/// A secret: written with `${NAME}`, never printed.
struct ClientSecretCodec : config::FieldCodec<std::string> {
  static void show(config::Printer& printer, std::string_view name, const std::string& value) {
    printer.value(name, value.empty() ? value : Redactor::mark);
  }
};

/// A list, or one text with spaces between the scopes.
struct ScopesCodec : config::FieldCodec<std::vector<std::string>> {
  static void read(config::ReadContext& context, const config::NodeRef& ref, std::vector<std::string>& into) {
    if (ref.node.kind != config::Node::Kind::scalar) {
      return config::FieldCodec<std::vector<std::string>>::read(context, ref, into);
    }
    const auto given = context.text(ref);
    if (!given) return;
    into.clear();
    for (std::string_view rest = given->text; !rest.empty();) {
      const auto word = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(word.size() + 1, rest.size()));
      if (!word.empty()) into.emplace_back(word);
    }
    context.record_source(ref, given->variables);
  }
};

Result<std::string> read_algorithm(std::string_view text, std::string_view shown) {
  if (text.empty()) return std::string();
  return config::read_one_of<"RS256", "PS256", "ES256", "ES384", "EdDSA">(text, shown);
}
using AlgorithmCodec = config::ParsedCodec<&read_algorithm>;

// The port of Claude Code's `callbackPort` stands for its callback URL.
void read_callback_port(config::ReadContext& context, const config::NodeRef& ref, std::string& into) {
  const auto port = context.text(ref);
  if (!port) return;
  into = "http://localhost:" + port->text + "/callback";
  context.record_source(ref, port->variables);
}

struct ForeignAuthKey {
  std::string_view key;
  std::string_view meaning;
};

// Cursor's spellings, then those of Claude Code.
constexpr auto foreign_auth_keys = std::to_array<ForeignAuthKey>({{"CLIENT_ID", "client_id"},
                                                                  {"CLIENT_SECRET", "client_secret"},
                                                                  {"scopes", "scopes"},
                                                                  {"clientId", "client_id"},
                                                                  {"clientSecret", "client_secret"},
                                                                  {"callbackPort", "callback_url"}});

std::string_view meaning_of(std::string_view key) {
  for (const auto& each : foreign_auth_keys) {
    if (each.key == key) return each.meaning;
  }
  return {};
}

}  // namespace

void ServerAuthCodec::read(config::ReadContext& context, const config::NodeRef& ref, ServerAuthConfig& into) {
  if (ref.node.kind == config::Node::Kind::scalar) {
    if (ref.node.text != "oauth") return context.error(ref, "expected oauth, or a map with the key oauth");
    if (!into.oauth) into.oauth.emplace();
    return context.record_source(ref);
  }
  config::FieldCodec<ServerAuthConfig>::read(context, ref, into);
}

bool read_foreign_auth(config::ReadContext& context, const config::NodeRef& ref, ServerAuthConfig& into) {
  if (ref.node.kind != config::Node::Kind::map || ref.node.find("oauth")) return false;
  const auto oauth = config::below(ref.key_path, "oauth");
  for (const auto& child : ref.node.children) {
    const auto meaning = meaning_of(child.key);
    if (meaning.empty()) continue;
    if (!into.oauth) into.oauth.emplace();
    const config::NodeRef member{child, config::below(ref.path, child.key), config::below(oauth, meaning)};
    if (meaning == "callback_url") {
      read_callback_port(context, member, into.oauth->callback_url);
    } else {
      config::find_field<OAuthConfig>(meaning)->read(context, member, *into.oauth);
    }
  }
  return true;
}

}  // namespace fairlead::gateway

namespace fairlead::config {

using gateway::ClientSecretCodec;
using gateway::IdentityProviderConfig;
using gateway::OAuthConfig;

template <>
const FieldList<IdentityProviderConfig> Fields<IdentityProviderConfig>::all{
    field<&IdentityProviderConfig::token_endpoint>("token_endpoint"),
    field<&IdentityProviderConfig::client_id>("client_id"),
    field<&IdentityProviderConfig::client_secret, ClientSecretCodec>("client_secret"),
    field<&IdentityProviderConfig::id_token_file, PathCodec>("id_token_file"),
};

template <>
const FieldList<OAuthConfig> Fields<OAuthConfig>::all{
    field<&OAuthConfig::grant>("grant"),
    field<&OAuthConfig::login_owner>("for"),
    field<&OAuthConfig::account>("account"),
    field<&OAuthConfig::client_id>("client_id"),
    field<&OAuthConfig::client_secret, ClientSecretCodec>("client_secret"),
    field<&OAuthConfig::key_file, PathCodec>("key_file"),
    field<&OAuthConfig::alg, gateway::AlgorithmCodec>("alg"),
    field<&OAuthConfig::client_metadata_url>("client_metadata_url"),
    field<&OAuthConfig::scopes, gateway::ScopesCodec>("scopes"),
    field<&OAuthConfig::resource>("resource"),
    field<&OAuthConfig::audience>("audience"),
    field<&OAuthConfig::issuer>("issuer"),
    field<&OAuthConfig::private_issuers>("private_issuers"),
    field<&OAuthConfig::callback_url>("callback_url"),
    field<&OAuthConfig::params>("params"),
    field<&OAuthConfig::dpop>("dpop"),
    field<&OAuthConfig::assertion_file, PathCodec>("assertion_file"),
    field<&OAuthConfig::identity_provider>("identity_provider"),
};

template <>
const FieldList<gateway::ServerAuthConfig> Fields<gateway::ServerAuthConfig>::all{
    field<&gateway::ServerAuthConfig::oauth>("oauth"),
};

template <>
const FieldList<gateway::VaultConfig> Fields<gateway::VaultConfig>::all{
    field<&gateway::VaultConfig::folder, PathCodec>("folder"),
    field<&gateway::VaultConfig::key_file, PathCodec>("key_file"),
};

}  // namespace fairlead::config
