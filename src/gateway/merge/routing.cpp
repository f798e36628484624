#include <algorithm>
#include <utility>

#include "gateway/merge/merge.hpp"

namespace fairlead::gateway {
namespace {

using protocol::Fault;
using session::Call;
using session::Reply;

std::unexpected<Error> unknown(ListKind kind, std::string name) {
  const auto fault = kind == ListKind::tools ? Fault::unknown_tool : Fault::prompt_missing;
  return refuse(fault, "no server here has it: list them to see their names", std::move(name));
}

std::string why_unheard(const Catalogue& server) {
  auto trouble = server.trouble();
  return trouble.empty() ? "it has not answered yet" : trouble;
}

}  // namespace

Merge::Route Merge::route_to(const MergedList::Entry& entry) const {
  return {roster_.all()[entry.server], entry.item->key};
}

std::optional<Merge::Route> Merge::named(ListKind kind, std::string_view name) const {
  const auto merged = roster_.merged(kind);
  const auto* entry = merged->find(name);
  return entry ? std::optional(route_to(*entry)) : expected(kind, name);
}

std::optional<Merge::Route> Merge::expected(ListKind kind, std::string_view name) const {
  for (const auto& each : roster_.all()) {
    if (const auto* inside = each->expected(kind, name)) return Route{each, *inside};
  }
  return std::nullopt;
}

// A template has no name but its own text: what is asked for passes as it is.
std::optional<Merge::Route> Merge::resource(std::string_view uri) const {
  const auto resources = roster_.merged(ListKind::resources);
  const auto templates = roster_.merged(ListKind::templates);
  const auto* entry = resources->find(uri);
  if (!entry) entry = templates->find(uri);
  if (!entry) entry = templates->match(uri);
  if (!entry) return expected(ListKind::resources, uri);
  return Route{roster_.all()[entry->server], std::string(uri)};
}

std::optional<Merge::Route> Merge::only_one_with_resources(std::string_view uri) const {
  std::optional<Route> only;
  for (const auto& each : roster_.all()) {
    // Whoever has not said yet what it offers may be the one that has it.
    if (!each->offers(ListKind::resources).value_or(true)) continue;
    if (only || !each->offers(ListKind::resources)) return std::nullopt;
    only = Route{each, std::string(uri)};
  }
  return only;
}

const Catalogue* Merge::one_unheard_of() const {
  for (const auto& each : roster_.all()) {
    const bool may_have_some = each->offers(ListKind::resources).value_or(true);
    const bool has_listed = each->list(ListKind::resources).last() && each->list(ListKind::templates).last();
    if (may_have_some && !has_listed) return each.get();
  }
  return nullptr;
}

std::optional<std::string> Merge::origin_of(ListKind kind, std::string_view name) const {
  if (is_alone()) return roster_.all().front()->name();
  auto route = is_named(kind) ? named(kind, name) : resource(name);
  if (!route && !is_named(kind)) route = only_one_with_resources(name);
  return route ? std::optional(route->to->name()) : std::nullopt;
}

Task<Result<Merge::Route>> Merge::find_named(ListKind kind, std::string name) {
  auto route = named(kind, name);
  if (route) co_return std::move(*route);
  std::vector<ListKind> kinds(1, kind);
  auto gathered = co_await roster_.gather(std::move(kinds), Roster::Want::missing);
  if (!gathered) co_return std::unexpected(std::move(gathered.error()));
  route = named(kind, name);
  if (route) co_return std::move(*route);
  co_return unknown(kind, std::move(name));
}

Task<Result<Merge::Route>> Merge::find_resource(std::string uri) {
  auto route = resource(uri);
  if (route) co_return std::move(*route);
  std::vector<ListKind> kinds(1, ListKind::resources);
  kinds.push_back(ListKind::templates);
  auto gathered = co_await roster_.gather(std::move(kinds), Roster::Want::missing);
  if (!gathered) co_return std::unexpected(std::move(gathered.error()));
  route = resource(uri);
  // Many servers list no more than a few of the resources that they have.
  if (!route) route = only_one_with_resources(uri);
  if (route) co_return std::move(*route);
  if (const auto* unheard = one_unheard_of()) {
    co_return refuse(Fault::resource_missing,
                     "no server here lists it, and the server '" + unheard->name() +
                         "' has not said yet what it has: " + why_unheard(*unheard) + "; try again later",
                     std::move(uri));
  }
  co_return refuse(Fault::resource_missing, "no server here has it", std::move(uri));
}

Task<Result<Reply>> Merge::pass(Call& call, Route route, Named wanted) {
  std::optional<Respelled> respelled;
  if (route.inside != wanted.name) respelled.emplace(call, wanted.place, route.inside);
  auto reply = co_await route.to->member().call(call);
  if (!reply) co_return reply;
  route.to->used();
  remember_task(call, *reply, route.to);
  co_return reply;
}

Task<Result<Reply>> Merge::pass_when_found(Call& call, Task<Result<Route>> finding, Named wanted) {
  auto route = co_await std::move(finding);
  if (!route) co_return std::unexpected(std::move(route.error()));
  co_return co_await pass(call, std::move(*route), std::move(wanted));
}

// Not a coroutine itself: where it is known whose the name is, a call pays for one.
Task<Result<Reply>> Merge::call_named(Call& call, ListKind kind) {
  auto wanted = named_by(call.params, "name");
  if (!wanted) return at_once(refuse(Fault::invalid_params, "name: expected a string"));
  if (auto route = named(kind, wanted->name)) return pass(call, std::move(*route), std::move(*wanted));
  return pass_when_found(call, find_named(kind, wanted->name), *wanted);
}

Task<Result<Reply>> Merge::call_resource(Call& call) {
  auto wanted = named_by(call.params, "uri");
  if (!wanted) return at_once(refuse(Fault::invalid_params, "uri: expected a string"));
  return pass_when_found(call, find_resource(wanted->name), *wanted);
}

Task<Result<Reply>> Merge::complete(Call& call) {
  auto reference = reference_of(call.params);
  if (!reference) return at_once(std::unexpected(std::move(reference.error())));
  const auto& wanted = reference->named;
  auto finding = reference->is_prompt ? find_named(ListKind::prompts, wanted.name) : find_resource(wanted.name);
  return pass_when_found(call, std::move(finding), wanted);
}

}  // namespace fairlead::gateway
