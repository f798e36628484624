#include <algorithm>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/json/codec.hpp>
#include <utility>

#include "auth/client/metadata.hpp"
#include "http/address.hpp"
#include "http/url.hpp"

namespace fairlead::auth {
namespace {

constexpr Duration document_timeout = std::chrono::seconds{5};
constexpr Duration challenge_timeout = std::chrono::seconds{10};

std::string_view path_of(const http::Url& url) {
  const std::string_view target = url.target;
  return target.substr(0, target.find('?'));
}

// The path for a well-known URL: without the slash of an empty path.
std::string suffix_of(const http::Url& url) {
  auto path = path_of(url);
  while (path.ends_with('/')) path.remove_suffix(1);
  return std::string(path);
}

bool is_local(const std::string& host) {
  return host == "localhost" || http::is_loopback(host);
}

Result<void> check_endpoint(std::string_view name, const std::optional<std::string>& text) {
  if (!text) return {};
  const auto url = http::parse_url(*text);
  // RFC 6749, 3.1: no fragment. It would keep our parameters from the server.
  const bool has_fragment = text->contains('#');
  if (url && !has_fragment && (url->scheme == "https" || (url->scheme == "http" && is_local(url->host)))) return {};
  return fail(ErrorKind::refused, "the " + std::string(name) + " of the authorization server is '" + *text +
                                      "'; it must be an https URL without a fragment");
}

// On the origin of the server, or an https URL; on loopback only if the server is there too.
Result<void> check_hint(const http::Url& server, const std::string& hinted) {
  const auto url = http::parse_url(hinted);
  if (url && (url->same_origin(server) || url->scheme == "https")) return {};
  if (url && is_local(url->host) && is_local(server.host)) return {};
  return fail(ErrorKind::refused, "the server names the protected resource metadata '" + hinted +
                                      "'; it must be an https URL or on the server itself");
}

Error cannot_fetch(const std::string& url, Error error, bool public_only) {
  error.message = "cannot fetch " + url + ": " + error.message;
  if (public_only && error.kind == ErrorKind::refused) {
    error.message += ". If this authorization server is right, allow private issuers (private_issuers)";
  }
  return error;
}

/// A document, or nothing if the server has none there.
template <class Document>
Task<Result<std::optional<Document>>> fetch_document(EventLoop loop, http::ClientOptions options, std::string url,
                                                     bool next_after_502) {
  options.max_body = max_document;
  // A redirect could lead to an address that a caller must not reach.
  options.max_redirects = 0;
  const bool limited = options.public_only;
  http::Client client(loop, std::move(options));
  auto request = get_request(url);
  request.deadline = Deadline::in(document_timeout, loop.timers.clock());
  auto response = co_await client.fetch(std::move(request));
  if (!response) co_return std::unexpected(cannot_fetch(url, std::move(response.error()), limited));
  const auto status = response->status;
  if ((status >= 400 && status < 500) || (next_after_502 && status == 502)) co_return std::nullopt;
  if (status != 200) {
    co_return fail(ErrorKind::refused, url + " answered " + std::to_string(status) + "; try again later");
  }
  auto text = json::Payload::parse(std::move(response->body));
  if (!text) co_return fail(ErrorKind::malformed, url + " is not JSON: " + text.error().message);
  auto document = json::decode<Document>(*text);
  if (!document) co_return fail(ErrorKind::malformed, url + ": " + document.error().message);
  co_return std::optional<Document>(std::move(*document));
}

Task<Result<std::optional<ResourceMetadata>>> find_resource_metadata(EventLoop loop, const OAuthOptions& options,
                                                                     const http::Url& server, std::string hinted) {
  std::vector<std::string> places;
  const std::string well_known = server.origin() + "/.well-known/oauth-protected-resource";
  if (!hinted.empty()) {
    if (auto checked = check_hint(server, hinted); !checked) co_return std::unexpected(std::move(checked.error()));
    places.push_back(std::move(hinted));
  }
  if (const auto suffix = suffix_of(server); !suffix.empty()) places.push_back(well_known + suffix);
  places.push_back(well_known);
  for (const auto& place : places) {
    auto found = co_await fetch_document<ResourceMetadata>(loop, options.http, place, false);
    if (!found || *found) co_return found;
  }
  co_return std::nullopt;
}

// In the order of the specification. An issuer with a path has no root form.
std::vector<std::string> metadata_places(const http::Url& issuer) {
  const auto suffix = suffix_of(issuer);
  std::vector<std::string> places{issuer.origin() + "/.well-known/oauth-authorization-server" + suffix,
                                  issuer.origin() + "/.well-known/openid-configuration" + suffix};
  if (!suffix.empty()) places.push_back(issuer.origin() + suffix + "/.well-known/openid-configuration");
  return places;
}

Result<void> check_metadata(const ServerMetadata& metadata, const std::string& issuer) {
  if (metadata.issuer != issuer) {
    return fail(ErrorKind::refused, "the metadata of the authorization server " + issuer + " names the issuer '" +
                                        metadata.issuer.value_or("") + "'; it was not used");
  }
  for (const auto& [name, url] :
       {std::pair("authorization endpoint", metadata.authorization_endpoint),
        std::pair("token endpoint", metadata.token_endpoint),
        std::pair("registration endpoint", metadata.registration_endpoint),
        std::pair("device authorization endpoint", metadata.device_authorization_endpoint),
        std::pair("revocation endpoint", metadata.revocation_endpoint), std::pair("jwks_uri", metadata.jwks_uri),
        std::pair("introspection endpoint", metadata.introspection_endpoint)}) {
    if (auto checked = check_endpoint(name, url); !checked) return checked;
  }
  return {};
}

Task<Result<void>> find_server_metadata(EventLoop loop, const OAuthOptions& options, Discovered& found) {
  auto document = co_await fetch_issuer_metadata(loop, options.http, found.issuer);
  if (!document) co_return std::unexpected(std::move(document.error()));
  if (*document) {
    found.server = std::move(**document);
    found.has_server_metadata = true;
    co_return check_server(found.server, found.issuer, options.grant);
  }
  if (found.has_resource_metadata) {
    co_return fail(ErrorKind::refused, "the authorization server " + found.issuer + " has no metadata document");
  }
  // The rules of the revision that knew no protected resource metadata.
  found.server.issuer = found.issuer;
  found.server.authorization_endpoint = found.issuer + "/authorize";
  found.server.token_endpoint = found.issuer + "/token";
  found.server.registration_endpoint = found.issuer + "/register";
  co_return Result<void>();
}

}  // namespace

Result<void> check_resource(const std::string& server, const ResourceMetadata& metadata) {
  const auto ours = http::parse_url(server);
  if (!ours) return std::unexpected(ours.error());
  const auto theirs = http::parse_url(metadata.resource.value_or(""));
  const auto wrong = [&] {
    return fail(ErrorKind::refused, "the protected resource metadata is for '" + metadata.resource.value_or("") +
                                        "', not for " + ours->redacted() + "; no token was requested");
  };
  if (!theirs || !theirs->same_origin(*ours)) return wrong();
  const auto prefix = suffix_of(*theirs);
  const auto path = path_of(*ours);
  const bool is_prefix = path.starts_with(prefix) && (path.size() == prefix.size() || path[prefix.size()] == '/');
  if (!is_prefix) return wrong();
  return {};
}

Result<void> check_server(const ServerMetadata& metadata, const std::string& issuer, Grant grant) {
  if (auto checked = check_metadata(metadata, issuer); !checked) return checked;
  if (!metadata.token_endpoint) return fail(ErrorKind::refused, issuer + " has no token endpoint");
  if (grant != Grant::code) return {};
  if (!lists(metadata.code_challenge_methods_supported, "S256")) {
    return fail(ErrorKind::refused, issuer + " does not announce PKCE with S256, which MCP requires");
  }
  if (metadata.response_types_supported && !lists(metadata.response_types_supported, "code")) {
    return fail(ErrorKind::refused, issuer + " does not support the response type 'code'");
  }
  return {};
}

bool needs_public_issuer(const OAuthOptions& options, const Challenge& challenge) {
  if (options.private_issuers || challenge.from_private_address) return false;
  const auto server = http::parse_url(options.server);
  if (!server) return true;
  return !is_local(server->host) && (!http::is_ip_address(server->host) || http::is_public_address(server->host));
}

bool lists(const std::optional<std::vector<std::string>>& values, std::string_view value) {
  return values && std::ranges::find(*values, value) != values->end();
}

http::ClientRequest get_request(std::string url) {
  return {.url = std::move(url), .headers = {{"Accept", "application/json"}}};
}

http::ClientRequest post_request(std::string url, std::string content_type) {
  return {.method = "POST",
          .url = std::move(url),
          .headers = {{"Content-Type", std::move(content_type)}, {"Accept", "application/json"}}};
}

Task<Result<http::ClientResponse>> fetch_direct(EventLoop loop, http::ClientOptions options,
                                                http::ClientRequest request, Duration timeout) {
  options.max_body = max_document;
  options.max_redirects = 0;
  http::Client client(loop, std::move(options));
  request.deadline = Deadline::in(timeout, loop.timers.clock());
  co_return co_await client.fetch(std::move(request));
}

// A POST, because servers without event streams refuse a GET before they look for a token. Only the head is read.
Task<Result<Challenge>> fetch_challenge(EventLoop loop, OAuthOptions options) {
  options.http.max_redirects = 0;
  http::Client client(loop, std::move(options.http));
  auto request = post_request(std::move(options.server), "application/json");
  request.headers.back().value = "application/json, text/event-stream";
  request.body = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
  request.deadline = Deadline::in(challenge_timeout, loop.timers.clock());
  const auto answer = co_await client.open(std::move(request));
  if (!answer) co_return std::unexpected(answer.error());
  auto challenge = read_challenge((*answer)->head());
  challenge.status = (*answer)->head().status;
  co_return challenge;
}

Task<Result<std::optional<ServerMetadata>>> fetch_issuer_metadata(EventLoop loop, http::ClientOptions options,
                                                                  std::string issuer) {
  const auto url = http::parse_url(issuer);
  if (!url) co_return std::unexpected(url.error());
  if (auto checked = check_endpoint("issuer", issuer); !checked) co_return std::unexpected(std::move(checked.error()));
  for (const auto& place : metadata_places(*url)) {
    auto document = co_await fetch_document<ServerMetadata>(loop, options, place, true);
    if (!document) co_return document;
    if (!*document) continue;
    if (auto checked = check_metadata(**document, issuer); !checked) {
      co_return std::unexpected(std::move(checked.error()));
    }
    co_return document;
  }
  co_return std::nullopt;
}

Task<Result<Discovered>> discover(EventLoop loop, OAuthOptions options, Challenge challenge, std::string known_issuer) {
  const auto server = http::parse_url(options.server);
  if (!server) co_return std::unexpected(server.error());
  Discovered found;
  auto metadata = co_await find_resource_metadata(loop, options, *server, std::move(challenge.resource_metadata));
  if (!metadata) co_return std::unexpected(std::move(metadata.error()));
  found.issuer = server->origin();
  if (*metadata) {
    found.resource = std::move(**metadata);
    found.has_resource_metadata = true;
    if (auto checked = check_resource(options.server, found.resource); !checked) {
      co_return std::unexpected(std::move(checked.error()));
    }
    const auto& issuers = found.resource.authorization_servers;
    if (!issuers || issuers->empty()) {
      co_return fail(ErrorKind::refused, server->redacted() + " names no authorization server in its metadata");
    }
    const auto wanted = options.issuer.empty() ? known_issuer : options.issuer;
    found.issuer = lists(issuers, wanted) ? wanted : issuers->front();
  }
  if (!options.issuer.empty() && options.issuer != found.issuer) {
    Error changed{.kind = ErrorKind::refused,
                  .message = "the server now uses the authorization server " + found.issuer +
                             ", but the client id is "
                             "registered at " +
                             options.issuer + "; set the client id and issuer of the new one",
                  .cause = cause_issuer_changed};
    co_return std::unexpected(std::move(changed));
  }
  auto checked = co_await find_server_metadata(loop, options, found);
  if (!checked) co_return std::unexpected(std::move(checked.error()));
  co_return found;
}

}  // namespace fairlead::auth
