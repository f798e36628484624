#include "gateway/config/oauth_codec.hpp"

#include <fairlead/base/redactor.hpp>
#include <fmt/format.h>

#include "config/text_codecs.hpp"
#include "http/url.hpp"

namespace fairlead::gateway {
namespace {

using config::Node;
using config::NodeRef;
using config::Printer;
using config::ReadContext;
using ScopeTable = std::vector<std::pair<std::string, auth::Scopes>>;

/// A list, or one text.
struct OneOrMoreCodec : config::FieldCodec<std::vector<std::string>> {
  static void read(ReadContext& context, const NodeRef& ref, std::vector<std::string>& into) {
    if (ref.node.kind != Node::Kind::scalar) {
      return config::FieldCodec<std::vector<std::string>>::read(context, ref, into);
    }
    into.assign(1, "");
    config::FieldCodec<std::string>::read(context, ref, into.front());
  }
};

/// Scopes by tool, method or scope.
struct ScopeTableCodec {
  static void read(ReadContext& context, const NodeRef& ref, ScopeTable& into) {
    if (!context.is(ref, Node::Kind::map)) return;
    context.record_source(ref);
    into.clear();
    for (const auto& child : ref.node.children) {
      OneOrMoreCodec::read(context, ref.member(child), into.emplace_back(child.key, auth::Scopes()).second);
    }
  }
  static void show(Printer& printer, std::string_view name, const ScopeTable& value) {
    if (value.empty()) return printer.map(name, {});
    printer.enter(name);
    for (const auto& [key, scopes] : value) printer.list(key, scopes);
    printer.leave();
  }
};

/// `any`, or `at+jwt`.
struct TypCodec {
  static void read(ReadContext& context, const NodeRef& ref, bool& into) {
    std::string word;
    config::WordCodec<"any", "at+jwt">::read(context, ref, word);
    if (!word.empty()) into = word == "any";
  }
  static void show(Printer& printer, std::string_view name, bool value) {
    printer.value(name, value ? "any" : "at+jwt");
  }
};

struct SecretCodec : config::FieldCodec<std::string> {
  static void show(Printer& printer, std::string_view name, const std::string& value) {
    printer.value(name, value.empty() ? std::string_view() : Redactor::mark);
  }
};

std::string issuer_text(const auth::TrustedIssuer& issuer) {
  const auto scalar = [](std::string_view text) { return config::yaml_scalar(text); };
  std::string text = "{issuer: " + scalar(issuer.issuer);
  if (!issuer.jwks_file.empty()) text += ", jwks_file: " + scalar(issuer.jwks_file);
  if (issuer.any_typ) text += ", typ: any";
  std::string audiences;
  for (const auto& audience : issuer.audiences) audiences += (audiences.empty() ? "" : ", ") + scalar(audience);
  if (!audiences.empty()) text += ", audience: [" + audiences + "]";
  if (const auto& introspection = issuer.introspection) {
    text += fmt::format(", introspection: {{client_id: {}, client_secret: {}", scalar(introspection->client_id),
                        scalar(Redactor::mark));
    if (!introspection->endpoint.empty()) text += ", endpoint: " + scalar(introspection->endpoint);
    text += "}";
  }
  return text + "}";
}

/// URLs, or maps with further settings.
struct IssuersCodec {
  static void read(ReadContext& context, const NodeRef& ref, std::vector<auth::TrustedIssuer>& into);
  static void show(Printer& printer, std::string_view name, const std::vector<auth::TrustedIssuer>& value) {
    std::vector<std::string> shown;
    for (const auto& issuer : value) shown.push_back(issuer_text(issuer));
    printer.flow_items(name, shown);
  }
};

}  // namespace
}  // namespace fairlead::gateway

namespace fairlead::config {

template <>
const FieldList<auth::IntrospectionClient> Fields<auth::IntrospectionClient>::all{
    field<&auth::IntrospectionClient::client_id>("client_id"),
    field<&auth::IntrospectionClient::client_secret, gateway::SecretCodec>("client_secret"),
    field<&auth::IntrospectionClient::endpoint>("endpoint"),
};

template <>
const FieldList<auth::TrustedIssuer> Fields<auth::TrustedIssuer>::all{
    field<&auth::TrustedIssuer::issuer>("issuer"),
    field<&auth::TrustedIssuer::jwks_file, PathCodec>("jwks_file"),
    field<&auth::TrustedIssuer::audiences, gateway::OneOrMoreCodec>("audience"),
    field<&auth::TrustedIssuer::any_typ, gateway::TypCodec>("typ"),
    field<&auth::TrustedIssuer::introspection>("introspection"),
};

template <>
const FieldList<auth::ScopeRules> Fields<auth::ScopeRules>::all{
    field<&auth::ScopeRules::all, gateway::OneOrMoreCodec>("all"),
    field<&auth::ScopeRules::tools, gateway::ScopeTableCodec>("tools"),
    field<&auth::ScopeRules::methods, gateway::ScopeTableCodec>("methods"),
    field<&auth::ScopeRules::implies, gateway::ScopeTableCodec>("implies"),
};

template <>
const FieldList<auth::DpopOptions> Fields<auth::DpopOptions>::all{
    field<&auth::DpopOptions::required>("required"),
    field<&auth::DpopOptions::nonces>("nonces"),
    field<&auth::DpopOptions::nonce_secret, gateway::SecretCodec>("nonce_secret"),
};

template <>
const FieldList<gateway::UserSignInConfig> Fields<gateway::UserSignInConfig>::all{
    field<&gateway::UserSignInConfig::issuer>("issuer"),
    field<&gateway::UserSignInConfig::client_id>("client_id"),
    field<&gateway::UserSignInConfig::client_secret, gateway::SecretCodec>("client_secret"),
    field<&gateway::UserSignInConfig::scopes, gateway::OneOrMoreCodec>("scopes"),
    field<&gateway::UserSignInConfig::resource>("resource"),
};

template <>
const FieldList<gateway::ListenOAuthConfig> Fields<gateway::ListenOAuthConfig>::all{
    field<&gateway::ListenOAuthConfig::issuers, gateway::IssuersCodec>("issuers"),
    field<&gateway::ListenOAuthConfig::scopes>("scopes"),
    field<&gateway::ListenOAuthConfig::dpop>("dpop"),
    field<&gateway::ListenOAuthConfig::algorithms>("algorithms"),
    field<&gateway::ListenOAuthConfig::principal_claim>("principal_claim"),
    field<&gateway::ListenOAuthConfig::skew>("skew"),
    field<&gateway::ListenOAuthConfig::name>("name"),
    field<&gateway::ListenOAuthConfig::cacert, PathCodec>("cacert"),
    field<&gateway::ListenOAuthConfig::sign_in>("sign_in"),
};

}  // namespace fairlead::config

namespace fairlead::gateway {
namespace {

void IssuersCodec::read(ReadContext& context, const NodeRef& ref, std::vector<auth::TrustedIssuer>& into) {
  if (!context.is(ref, Node::Kind::list)) return;
  into.clear();
  context.forget(ref.key_path);
  context.record_source(ref);
  for (std::size_t index = 0; index < ref.node.children.size(); ++index) {
    const auto item = ref.item(index);
    auto& issuer = into.emplace_back();
    if (item.node.kind == Node::Kind::scalar) {
      config::FieldCodec<std::string>::read(context, item, issuer.issuer);
    } else {
      config::FieldCodec<auth::TrustedIssuer>::read(context, item, issuer);
    }
  }
}

}  // namespace

void OAuthCodec::read(ReadContext& context, const NodeRef& ref, ListenOAuthConfig& into) {
  config::FieldCodec<ListenOAuthConfig>::read(context, ref, into);
}

void OAuthCodec::show(Printer& printer, std::string_view name, const ListenOAuthConfig& value) {
  if (value.enabled()) config::FieldCodec<ListenOAuthConfig>::show(printer, name, value);
}

Result<std::string> read_public_url(std::string_view text, std::string_view shown) {
  if (text.empty()) return std::string();
  const auto url = http::parse_url(text);
  const bool is_http = url && (url->scheme == "http" || url->scheme == "https");
  if (is_http && url->origin() == (text.ends_with('/') ? text.substr(0, text.size() - 1) : text)) return url->origin();
  return fail(ErrorKind::invalid,
              fmt::format("expected the URL that clients use, without a path, such as https://tools.example; got {}",
                          config::value_in_quotes(shown)));
}

}  // namespace fairlead::gateway
