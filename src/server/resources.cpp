#include <fairlead/json/writer.hpp>
#include <utility>

#include "server/run_handler.hpp"

namespace fairlead::server {
namespace {

/// The resource that serves a URI, and the template variables as JSON.
struct ResolvedResource {
  std::shared_ptr<const RegisteredResource> resource = {};
  std::string arguments = {};
};

std::string as_json(const protocol::TemplateMatch& match) {
  std::string text;
  {
    json::ObjectWriter object(text);
    for (const auto& [name, value] : match) object.text(name, value);
  }
  return text;
}

ResolvedResource find_resource(const ServerState& server, const std::string& uri, const std::string& principal) {
  const auto all = server.registry();
  if (auto exact = all->resources.find(uri); exact && server.is_visible(EntryKind::resource, uri, principal))
    return {exact};
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

}  // namespace

bool ServerState::has_resource(const std::string& uri, const std::string& principal) const {
  return find_resource(*this, uri, principal).resource != nullptr;
}

Task<Result<session::Reply>> ServerState::read_resource(session::Call& call) {
  auto params = json::decode<protocol::ReadResourceParams>(call.params);
  if (!params) co_return refuse(ProtocolError::invalid_params, params.error().message);
  const std::string uri = params->uri;
  const ResolvedResource found = find_resource(*this, uri, call.context.principal);
  if (!found.resource) co_return resource_not_found(uri);

  ContextState state{.server = *this, .call = call};
  if (auto restored = restore(state); !restored) co_return std::unexpected(restored.error());
  const auto& entry = found.resource->entry;
  const Input input{.json = found.arguments, .source = InputFormat::text};
  auto outcome = co_await run_handler(entry.handler, input, state, std::nullopt);
  if (outcome.needs_input) co_return end_round(state);
  if (!outcome.output) {
    auto& error = outcome.output.error();
    // The URI matches the template, but its variables do not have the types of the handler.
    if (protocol::protocol_error_of(error) == ProtocolError::bad_arguments) co_return resource_not_found(uri);
    co_return std::unexpected(as_handler_error(std::move(error), ProtocolError::internal, uri));
  }
  fill_defaults(*outcome.output, uri, entry.options);
  co_return reply_of(*outcome.output);
}

Result<session::Reply> ServerState::subscribe(const session::Call& call, bool on) {
  const auto params = json::decode<protocol::ResourceUriParams>(call.params);
  if (!params) return refuse(ProtocolError::invalid_params, params.error().message);
  if (!on) {
    session_preferences.unsubscribe(call.context.session_key, params->uri);
  } else if (!has_resource(params->uri, call.context.principal)) {
    return resource_not_found(params->uri);
  } else if (!session_preferences.subscribe(call.context.session_key, params->uri)) {
    return refuse(ProtocolError::invalid_request, "no session, or too many subscriptions; unsubscribe some");
  }
  return session::Reply{.body = json::Payload::trusted("{}")};
}

}  // namespace fairlead::server
