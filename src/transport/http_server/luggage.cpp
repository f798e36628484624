#include "transport/http_server/luggage.hpp"

#include <utility>

namespace fairlead::transport {
namespace {

const jsonrpc::Luggage* carried_by(const jsonrpc::Message& message) {
  if (const auto* response = std::get_if<jsonrpc::Response>(&message)) return response->luggage.get();
  const auto* error = std::get_if<jsonrpc::ErrorResponse>(&message);
  return error ? error->luggage.get() : nullptr;
}

}  // namespace

std::shared_ptr<const jsonrpc::Luggage> luggage_of(const http::Request& request, const Host& host) {
  std::shared_ptr<jsonrpc::Luggage> found;
  for (const auto& name : host.wanted_luggage()) {
    const auto value = request.header(name);
    if (!value) continue;
    if (!found) found = std::make_shared<jsonrpc::Luggage>();
    found->emplace_back(name, std::string(*value));
  }
  return found;
}

void take_along(jsonrpc::Incoming& incoming, const http::Request& request, const Host& host) {
  const auto luggage = luggage_of(request, host);
  if (!luggage) return;
  const auto load = [&](jsonrpc::Message& message) {
    if (auto* call = std::get_if<jsonrpc::Request>(&message)) call->luggage = luggage;
  };
  if (auto* message = std::get_if<jsonrpc::Message>(&incoming)) return load(*message);
  for (auto& entry : std::get<jsonrpc::Batch>(incoming).entries) {
    if (entry) load(*entry);
  }
}

void hand_out(http::Response& response, const jsonrpc::Message& message) {
  const auto* luggage = carried_by(message);
  if (luggage == nullptr) return;
  for (const auto& [name, value] : *luggage) response.headers.push_back({name, value});
}

}  // namespace fairlead::transport
