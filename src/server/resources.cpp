#include <fairlead/json/writer.hpp>
#include <utility>

#include "server/run_handler.hpp"

namespace fairlead::server {
namespace {

using SharedResource = std::shared_ptr<const RegisteredResource>;

std::string as_json(const protocol::TemplateMatch& match) {
  std::string text;
  {
    json::ObjectWriter object(text);
    for (const auto& [name, value] : match) object.text(name, value);
  }
  return text;
}

/// Returns the resource that serves a URI, and the template variables as JSON.
std::pair<SharedResource, std::string> find_resource(const ServerState& server, const std::string& uri,
                                                     const std::string& principal) {
  const auto all = server.registry();
  if (auto exact = all->resources.find(uri); exact && server.is_visible(EntryKind::resource, uri, principal))
    return {exact, ""};
  for (const auto& candidate : all->templates.entries()) {
    if (!server.is_visible(EntryKind::resource_template, candidate->name(), principal)) continue;
    if (const auto match = candidate->uri_template->match(uri)) return {candidate, as_json(*match)};
  }
  return {};
}

std::unexpected<Error> resource_not_found(const std::string& uri) {
  return refuse(ProtocolError::resource_missing, "Resource not found: " + uri, uri);
}

// Fills in URI, MIME type and cache hints that the handler left empty.
void fill_defaults(protocol::ReadResourceResult& result, const std::string& uri, const ResourceOptions& options) {
  for (auto& contents : result.contents) {
    std::visit(
        [&](auto& one) {
          if (!one.uri.empty() && one.mimeType) return;
          if (one.uri.empty()) {
            one.uri = uri;
            if (options.mime_type) one.mimeType = options.mime_type;
          } else if (!one.mimeType) {
            one.mimeType = options.mime_type;
          }
        },
        contents);
  }
  if (options.ttl && !result.ttlMs) result.ttlMs = options.ttl->count();
  if (!result.cacheScope) result.cacheScope = options.cache_scope;
}

struct ResourceInvocation {
  static constexpr std::optional<ProtocolError> handler_fault = std::nullopt;

  SharedResource resource;
  std::string arguments;
  std::string uri;

  const auto& handler() const { return resource->entry.handler; }
  Input input() const { return {.json = arguments, .source = InputFormat::text}; }

  Result<session::Reply> finish(const session::Call&, Result<protocol::ReadResourceResult> output) const {
    if (!output) {
      auto& error = output.error();
      // The URI matches the template, but its variables do not have the types of the handler.
      if (protocol::protocol_error_of(error) == ProtocolError::bad_arguments) return resource_not_found(uri);
      return std::unexpected(as_handler_error(std::move(error), ProtocolError::internal, uri));
    }
    fill_defaults(*output, uri, resource->entry.options);
    return reply_of(*output);
  }
};

}  // namespace

bool ServerState::has_resource(const std::string& uri, const std::string& principal) const {
  return find_resource(*this, uri, principal).first != nullptr;
}

Task<Result<session::Reply>> ServerState::read_resource(session::Call& call) {
  auto params = json::decode<protocol::ReadResourceParams>(call.params);
  if (!params) return refuse(ProtocolError::invalid_params, params.error().message);
  auto [resource, arguments] = find_resource(*this, params->uri, call.context.principal);
  if (!resource) return resource_not_found(params->uri);
  return invoke(*this, call, ResourceInvocation{std::move(resource), std::move(arguments), std::move(params->uri)});
}

Result<session::Reply> ServerState::subscribe(const session::Call& call) {
  const auto params = json::decode<protocol::ResourceUriParams>(call.params);
  if (!params) return refuse(ProtocolError::invalid_params, params.error().message);
  if (!has_resource(params->uri, call.context.principal)) return resource_not_found(params->uri);
  if (!session_preferences.subscribe(call.context.session_key, params->uri)) {
    return refuse(ProtocolError::invalid_request, "no session, or too many subscriptions; unsubscribe some");
  }
  return session::Reply{.body = json::Payload::trusted("{}")};
}

Result<session::Reply> ServerState::unsubscribe(const session::Call& call) {
  const auto params = json::decode<protocol::ResourceUriParams>(call.params);
  if (!params) return refuse(ProtocolError::invalid_params, params.error().message);
  session_preferences.unsubscribe(call.context.session_key, params->uri);
  return session::Reply{.body = json::Payload::trusted("{}")};
}

}  // namespace fairlead::server
