#include <algorithm>
#include <fairlead/json/object_edit.hpp>

#include "gateway/aggregate/aggregator.hpp"

/// Which extensions several servers have together.
namespace fairlead::gateway {
namespace {

namespace extension = protocol::extension;

bool declares(const std::shared_ptr<BackendCatalog>& each, std::string_view id) {
  // The gateway may offer an extension in the name of the server.
  if (each->backend().last_description() != nullptr) return each->backend().offers_extension(id);
  const auto* can = each->capabilities();
  return can != nullptr && protocol::declares_extension(can->extensions, id);
}

bool has_directories(const protocol::ServerCapabilities& capabilities) {
  if (!capabilities.extensions) return false;
  const auto found = capabilities.extensions->find(std::string(extension::skills));
  return found != capabilities.extensions->end() && json::member_of(found->second, "directoryRead") == "true";
}

}  // namespace

bool Aggregator::offers_extension(std::string_view id) const {
  return std::ranges::any_of(backends_.all(),
                             [&](const auto& each) { return each->capabilities() == nullptr || declares(each, id); });
}

// Methods of another extension may name an item of any server, so they have one receiver only.
bool Aggregator::routes_extension(std::string_view id) const {
  if (id == extension::tasks || id == extension::skills || id == extension::ui) return true;
  return std::ranges::count_if(backends_.all(), [&](const auto& each) { return declares(each, id); }) == 1;
}

void Aggregator::withhold_unrouted_extensions(Call& call) const {
  const auto& declared = call.context.caller->capabilities.extensions;
  const auto is_unrouted = [this](const auto& each) { return !routes_extension(each.first); };
  if (!declared || std::ranges::none_of(*declared, is_unrouted)) return;
  auto caller = std::make_shared<protocol::ClientIdentity>(*call.context.caller);
  std::erase_if(*caller->capabilities.extensions, is_unrouted);
  call.context.caller = std::move(caller);
}

// The URI names the server. A server without directories gets no request: clients may not send one.
Task<Result<Reply>> Aggregator::call_skills(Call& call) {
  auto wanted = string_member(call.params, "uri");
  if (!wanted) co_return refuse(protocol::ProtocolError::invalid_params, "uri: expected a string");
  auto route = co_await find_resource(wanted->name);
  const bool is_directory = call.method != "skills/get";
  const auto* can = route ? route->catalog->capabilities() : nullptr;
  const bool may_ask = can == nullptr || (is_directory ? has_directories(*can) : is_offered(ListKind::skills, *can));
  if (!route || !may_ask) {
    co_return refuse(protocol::ProtocolError::invalid_params,
                     is_directory ? "no server has this directory" : "no server has this skill", wanted->name);
  }
  co_return co_await forward(call, std::move(*route), std::move(*wanted));
}

Task<Result<Reply>> Aggregator::call_extension(Call& call, std::string_view id) {
  const auto& all = backends_.all();
  const auto found = std::ranges::find_if(all, [&](const auto& each) { return declares(each, id); });
  if (found == all.end() || !routes_extension(id)) {
    return refuse(protocol::ProtocolError::unknown_method,
                  found == all.end() ? ""
                                     : "several servers have this extension, and the gateway cannot route it between "
                                       "them; use the path of one server, /s/<name>",
                  call.method);
  }
  call.dependencies.push_back(*found);
  return (*found)->backend().call(call);
}

}  // namespace fairlead::gateway
