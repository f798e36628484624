#include <utility>

#include "gateway/aggregate/aggregator.hpp"
#include "gateway/model/server_uri.hpp"

namespace fairlead::gateway {
namespace {

using protocol::ProtocolError;

std::unexpected<Error> unknown(ListKind kind, std::string name) {
  const auto fault = kind == ListKind::tools ? ProtocolError::unknown_tool : ProtocolError::prompt_missing;
  return refuse(fault, "no server offers it; list the available names", std::move(name));
}

std::string why_unlisted(const BackendCatalog& server) {
  auto problem = server.problem();
  return problem.empty() ? "it has not answered yet" : problem;
}

}  // namespace

Aggregator::Route Aggregator::route_to(const MergedList::Entry& entry) const {
  return {backends_.all()[entry.server], entry.item->key};
}

std::optional<Aggregator::Route> Aggregator::find_route(ListKind kind, std::string_view name) const {
  const auto merged = backends_.merged(kind);
  const auto* entry = merged->find(name);
  return entry ? std::optional(route_to(*entry)) : expected_route(kind, name);
}

std::optional<Aggregator::Route> Aggregator::expected_route(ListKind kind, std::string_view name) const {
  for (const auto& each : backends_.all()) {
    if (const auto* upstream_name = each->expected(kind, name)) return Route{each, *upstream_name};
  }
  return std::nullopt;
}

// Pages and files of skills are often unlisted.
std::optional<Aggregator::Route> Aggregator::route_by_server_in(std::string_view uri) const {
  for (const auto& each : backends_.all()) {
    if (has_server_name(uri, each->name())) return Route{each, std::string(uri)};
  }
  return std::nullopt;
}

// A template is identified by its own text, so the URI is passed on unchanged.
std::optional<Aggregator::Route> Aggregator::resource_route(std::string_view uri) const {
  if (names_its_server(uri)) return route_by_server_in(uri);
  const auto resources = backends_.merged(ListKind::resources);
  const auto templates = backends_.merged(ListKind::templates);
  const auto* entry = resources->find(uri);
  if (!entry) entry = templates->find(uri);
  if (!entry) entry = templates->match(uri);
  if (!entry) return expected_route(ListKind::resources, uri);
  return Route{backends_.all()[entry->server], std::string(uri)};
}

std::optional<Aggregator::Route> Aggregator::sole_route_for_resource(std::string_view uri) const {
  std::optional<Route> only;
  for (const auto& each : backends_.all()) {
    // A server with unknown capabilities may have it.
    if (!each->offers(ListKind::resources).value_or(true)) continue;
    if (only || !each->offers(ListKind::resources)) return std::nullopt;
    only = Route{each, std::string(uri)};
  }
  return only;
}

const BackendCatalog* Aggregator::first_unlisted_backend() const {
  for (const auto& each : backends_.all()) {
    const bool may_have_some = each->offers(ListKind::resources).value_or(true);
    const bool has_listed = each->list(ListKind::resources).last() && each->list(ListKind::templates).last();
    if (may_have_some && !has_listed) return each.get();
  }
  return nullptr;
}

std::shared_ptr<BackendCatalog> Aggregator::backend_of(ListKind kind, std::string_view name) const {
  if (passes_through_single()) return backends_.all().front();
  auto route = is_named(kind) ? find_route(kind, name) : resource_route(name);
  if (!route && !is_named(kind) && !names_its_server(name)) route = sole_route_for_resource(name);
  return route ? std::move(route->catalog) : nullptr;
}

std::optional<std::string> Aggregator::backend_name_of(ListKind kind, std::string_view name) const {
  const auto found = backend_of(kind, name);
  return found ? std::optional(found->name()) : std::nullopt;
}

bool Aggregator::may_send_requests(ListKind kind, std::string_view name) const {
  const auto found = backend_of(kind, name);
  return !found || found->backend().may_send_requests(kind, name);
}

Task<Result<Aggregator::Route>> Aggregator::find_named(ListKind kind, std::string name) {
  auto route = find_route(kind, name);
  if (route) co_return std::move(*route);
  std::vector<ListKind> kinds(1, kind);
  auto fetched = co_await backends_.fetch_lists(std::move(kinds), BackendSet::WaitFor::missing);
  if (!fetched) co_return std::unexpected(std::move(fetched.error()));
  route = find_route(kind, name);
  if (route) co_return std::move(*route);
  co_return unknown(kind, std::move(name));
}

Task<Result<Aggregator::Route>> Aggregator::find_resource(std::string uri) {
  auto route = resource_route(uri);
  if (route) co_return std::move(*route);
  if (names_its_server(uri)) {
    co_return refuse(ProtocolError::resource_missing, "no server has the name that follows the scheme", std::move(uri));
  }
  std::vector<ListKind> kinds(1, ListKind::resources);
  kinds.push_back(ListKind::templates);
  auto fetched = co_await backends_.fetch_lists(std::move(kinds), BackendSet::WaitFor::missing);
  if (!fetched) co_return std::unexpected(std::move(fetched.error()));
  route = resource_route(uri);
  // Many servers do not list all their resources.
  if (!route) route = sole_route_for_resource(uri);
  if (route) co_return std::move(*route);
  if (const auto* unheard = first_unlisted_backend()) {
    co_return refuse(ProtocolError::resource_missing,
                     "no server lists it, and the server '" + unheard->name() +
                         "' has not listed its resources yet: " + why_unlisted(*unheard) + "; try again later",
                     std::move(uri));
  }
  co_return refuse(ProtocolError::resource_missing, "no server offers it", std::move(uri));
}

Task<Result<Reply>> Aggregator::forward(Call& call, Route route, NamedSpan wanted) {
  std::optional<ScopedRename> respelled;
  if (route.upstream_name != wanted.name) respelled.emplace(call, wanted.span, route.upstream_name);
  auto reply = co_await with_qualified_task(route.catalog->backend().call(call), call, route.catalog);
  if (!reply) co_return reply;
  route.catalog->on_call_answered();
  remember_task(call, *reply, route.catalog);
  co_return reply;
}

Task<Result<Reply>> Aggregator::forward_when_found(Call& call, Task<Result<Route>> finding, NamedSpan wanted) {
  auto route = co_await std::move(finding);
  if (!route) co_return std::unexpected(std::move(route.error()));
  co_return co_await forward(call, std::move(*route), std::move(wanted));
}

Task<Result<Reply>> Aggregator::call_named(Call& call, ListKind kind) {
  auto wanted = string_member(call.params, "name");
  if (!wanted) return refuse(ProtocolError::invalid_params, "name: expected a string");
  if (auto route = find_route(kind, wanted->name)) return forward(call, std::move(*route), std::move(*wanted));
  return forward_when_found(call, find_named(kind, wanted->name), *wanted);
}

Task<Result<Reply>> Aggregator::call_resource(Call& call) {
  auto wanted = string_member(call.params, "uri");
  if (!wanted) return refuse(ProtocolError::invalid_params, "uri: expected a string");
  return forward_when_found(call, find_resource(wanted->name), *wanted);
}

Task<Result<Reply>> Aggregator::complete(Call& call) {
  auto reference = completion_reference(call.params);
  if (!reference) return std::unexpected(std::move(reference.error()));
  const auto& wanted = reference->named;
  auto finding = reference->is_prompt ? find_named(ListKind::prompts, wanted.name) : find_resource(wanted.name);
  return forward_when_found(call, std::move(finding), wanted);
}

}  // namespace fairlead::gateway
