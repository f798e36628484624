#include "auth/oauth/challenge.hpp"

#include <algorithm>
#include <fairlead/json/writer.hpp>
#include <fmt/format.h>
#include <utility>

namespace fairlead::auth {
namespace {

constexpr std::string_view metadata_prefix = "/.well-known/oauth-protected-resource";
constexpr std::size_t longest_token = 8192;

void write_list(std::string& out, const std::vector<std::string>& items) {
  out += '[';
  for (const auto& item : items) {
    if (out.back() != '[') out += ',';
    json::write_string(out, item);
  }
  out += ']';
}

std::string metadata_of(const std::string& resource, const OAuthCheckOptions& options) {
  std::string out;
  {
    json::ObjectWriter object(out);
    object.text("resource", resource);
    std::vector<std::string> issuers;
    for (const auto& issuer : options.issuers) issuers.push_back(issuer.issuer);
    write_list(object.member("authorization_servers"), issuers);
    if (!options.scopes.all.empty()) write_list(object.member("scopes_supported"), options.scopes.all);
    write_list(object.member("bearer_methods_supported"), {"header"});
    write_list(object.member("dpop_signing_alg_values_supported"), options.algorithms);
    if (options.dpop.required) object.raw("dpop_bound_access_tokens_required", "true");
    if (options.certificate_bound_tokens) object.raw("tls_client_certificate_bound_access_tokens", "true");
    if (!options.resource_name.empty()) object.text("resource_name", options.resource_name);
  }
  return out;
}

// RFC 6750, 2.1.
bool is_b64token(std::string_view text) {
  const auto end = text.find_last_not_of('=');
  if (end == std::string_view::npos) return false;
  return std::ranges::all_of(text.substr(0, end + 1), [](unsigned char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view("-._~+/").contains(static_cast<char>(c));
  });
}

}  // namespace

Result<ResourceDescription> describe_resource(const std::string& resource, const OAuthCheckOptions& options) {
  const std::string_view url = resource;
  const auto scheme = url.find("://");
  const bool is_http = url.starts_with("https://") || url.starts_with("http://");
  const auto authority = scheme == std::string_view::npos ? scheme : scheme + 3;
  if (!is_http || authority >= url.size() || url[authority] == '/' ||
      url.find_first_of("?#\"\\ \r\n\t") != std::string_view::npos) {
    return fail(ErrorKind::invalid, fmt::format("the resource '{}' must be an absolute http or https URL without query "
                                                "and fragment, as clients use it",
                                                url));
  }
  const auto slash = std::min(url.find('/', authority), url.size());
  auto path = url.substr(slash);
  if (path == "/") path = {};
  ResourceDescription made;
  // RFC 9728, 3.1: the well-known part stands between authority and path.
  made.metadata_path = std::string(metadata_prefix).append(path);
  made.origin = url.substr(0, slash);
  made.metadata_url = made.origin + made.metadata_path;
  made.url = resource;
  made.metadata = metadata_of(resource, options);
  made.basic_scopes = join_scopes(options.scopes.all);
  return made;
}

http::Response challenge(const ResourceDescription& resource, std::uint16_t status, std::string_view error,
                         std::string_view description, std::string_view scopes) {
  auto value = fmt::format("Bearer resource_metadata=\"{}\"", resource.metadata_url);
  if (!error.empty()) value += fmt::format(", error=\"{}\", error_description=\"{}\"", error, description);
  if (!scopes.empty()) value += fmt::format(", scope=\"{}\"", scopes);
  http::Response response{
      .status = status, .content_type = "text/plain; charset=utf-8", .body = std::string(description) + "\n"};
  response.headers.push_back({"WWW-Authenticate", std::move(value)});
  return response;
}

http::Response dpop_challenge(const ResourceDescription& resource, std::string_view algorithms, std::string_view error,
                              std::string_view description) {
  http::Response response{
      .status = 401, .content_type = "text/plain; charset=utf-8", .body = std::string(description) + "\n"};
  response.headers.push_back(
      {"WWW-Authenticate",
       fmt::format("DPoP algs=\"{}\", error=\"{}\", error_description=\"{}\", resource_metadata=\"{}\"", algorithms,
                   error, description, resource.metadata_url)});
  return response;
}

std::expected<PresentedToken, http::Response> presented_token(const http::Request& request,
                                                              const ResourceDescription& resource) {
  const auto count = request.count("Authorization");
  const auto malformed = [&](std::string_view why) {
    return std::unexpected(challenge(resource, 400, "invalid_request", why, resource.basic_scopes));
  };
  if (count > 1) return malformed("send one Authorization header");
  const auto field = request.header("Authorization").value_or("");
  const auto blank = field.find(' ');
  const auto scheme = field.substr(0, blank);
  const bool dpop = protocol::same_header(scheme, "DPoP");
  if (!dpop && !protocol::same_header(scheme, "Bearer")) {
    return std::unexpected(
        challenge(resource, 401, "", "send an access token as Authorization: Bearer", resource.basic_scopes));
  }
  const auto token = blank == std::string_view::npos ? "" : protocol::trim_header(field.substr(blank));
  if (token.size() > longest_token) return malformed("the access token is longer than 8 KiB");
  return PresentedToken{.token = token, .dpop = dpop};
}

std::optional<http::Response> refuse_characters(std::string_view token, const ResourceDescription& resource) {
  if (is_b64token(token)) return std::nullopt;
  return challenge(resource, 400, "invalid_request", "the access token has invalid characters", resource.basic_scopes);
}

http::Response metadata_response(const ResourceDescription& resource, std::string_view method) {
  http::Response response{.status = 200};
  response.headers.push_back({"Access-Control-Allow-Origin", "*"});
  if (method == "OPTIONS") {
    response.status = 204;
    response.headers.push_back({"Access-Control-Allow-Methods", "GET, HEAD, OPTIONS"});
    // MCP clients in pages send it with every request.
    response.headers.push_back({"Access-Control-Allow-Headers", "MCP-Protocol-Version"});
  } else if (method == "GET" || method == "HEAD") {
    response.content_type = "application/json";
    response.headers.push_back({"Cache-Control", "max-age=300"});
    response.body = resource.metadata;
  } else {
    response.status = 405;
    response.headers.push_back({"Allow", "GET, HEAD, OPTIONS"});
  }
  return response;
}

http::Response too_many_failures() {
  http::Response response{.status = 429,
                          .content_type = "text/plain; charset=utf-8",
                          .body = "This address has sent too many invalid tokens. Try again.\n"};
  response.headers.push_back({"Retry-After", "1"});
  return response;
}

http::Response issuer_unavailable() {
  http::Response response{.status = 503,
                          .content_type = "text/plain; charset=utf-8",
                          .body = "The token cannot be checked now, because its issuer does not answer. Try again.\n"};
  response.headers.push_back({"Retry-After", "5"});
  return response;
}

}  // namespace fairlead::auth
