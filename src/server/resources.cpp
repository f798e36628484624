#include <fairlead/json/writer.hpp>
#include <utility>

#include "server/run_handler.hpp"

namespace fairlead::server {
namespace {

/// A resource that answers for a URI, and what its template makes of it.
struct Found {
  std::shared_ptr<const Resource> resource = {};
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

Found find_resource(const ServerState& server, const std::string& uri, const std::string& principal) {
  const auto all = server.registry();
  if (auto exact = all->resources.find(uri); exact && server.shows(Kind::resource, uri, principal)) return {exact};
  for (const auto& candidate : all->templates.entries()) {
    if (!server.shows(Kind::resource_template, candidate->name(), principal)) continue;
    if (const auto match = candidate->uri_template->match(uri)) return {candidate, as_json(*match)};
  }
  return {};
}

std::unexpected<Error> missing(const std::string& uri) {
  return refuse(Fault::resource_missing, "Resource not found: " + uri, uri);
}

// The handler says what it must; the rest follows from the request and the registration.
void complete_contents(protocol::ReadResourceResult& result, const std::string& uri, const ResourceOptions& options) {
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
  if (!params) co_return refuse(Fault::invalid_params, params.error().message);
  const std::string uri = params->uri;
  const Found found = find_resource(*this, uri, call.context.principal);
  if (!found.resource) co_return missing(uri);

  ContextState state{.server = *this, .call = call};
  if (auto restored = restore(state); !restored) co_return std::unexpected(restored.error());
  const auto& entry = found.resource->entry;
  const Input input{.json = found.arguments, .source = Source::text};
  auto outcome = co_await run_handler(entry.handler, input, state, std::nullopt);
  if (outcome.ended_round) co_return end_round(state);
  if (!outcome.output) {
    auto& error = outcome.output.error();
    // A URI whose parts are not what the handler takes names nothing.
    if (protocol::fault_of(error) == Fault::bad_arguments) co_return missing(uri);
    co_return std::unexpected(as_own_failure(std::move(error), Fault::internal, uri));
  }
  complete_contents(*outcome.output, uri, entry.options);
  co_return reply_of(*outcome.output);
}

Result<session::Reply> ServerState::subscribe(const session::Call& call, bool on) {
  const auto params = json::decode<protocol::ResourceUriParams>(call.params);
  if (!params) return refuse(Fault::invalid_params, params.error().message);
  if (!on) {
    memories.unsubscribe(call.context.conversation, params->uri);
  } else if (!has_resource(params->uri, call.context.principal)) {
    return missing(params->uri);
  } else if (!memories.subscribe(call.context.conversation, params->uri)) {
    return refuse(Fault::invalid_request, "no more subscriptions can be remembered for this conversation; end some");
  }
  return session::Reply{.body = json::Payload::trusted("{}")};
}

}  // namespace fairlead::server
