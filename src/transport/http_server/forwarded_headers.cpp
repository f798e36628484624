#include "transport/http_server/forwarded_headers.hpp"

#include <utility>

namespace fairlead::transport {
namespace {

const jsonrpc::MessageHeaders* headers_of(const jsonrpc::Message& message) {
  if (const auto* response = std::get_if<jsonrpc::Response>(&message)) return response->headers.get();
  const auto* error = std::get_if<jsonrpc::ErrorResponse>(&message);
  return error ? error->headers.get() : nullptr;
}

}  // namespace

std::shared_ptr<const jsonrpc::MessageHeaders> forwarded_headers(const http::Request& request,
                                                                 const SessionFactory& factory) {
  std::shared_ptr<jsonrpc::MessageHeaders> found;
  for (const auto& name : factory.forwarded_header_names()) {
    const auto value = request.header(name);
    if (!value) continue;
    if (!found) found = std::make_shared<jsonrpc::MessageHeaders>();
    found->emplace_back(name, std::string(*value));
  }
  return found;
}

void attach_headers(jsonrpc::Incoming& incoming, const http::Request& request, const SessionFactory& factory) {
  const auto headers = forwarded_headers(request, factory);
  if (!headers) return;
  const auto attach = [&](jsonrpc::Message& message) {
    if (auto* call = std::get_if<jsonrpc::Request>(&message)) call->headers = headers;
  };
  if (auto* message = std::get_if<jsonrpc::Message>(&incoming)) return attach(*message);
  for (auto& entry : std::get<jsonrpc::Batch>(incoming).entries) {
    if (entry) attach(*entry);
  }
}

void apply_headers(http::Response& response, const jsonrpc::Message& message) {
  const auto* headers = headers_of(message);
  if (headers == nullptr) return;
  for (const auto& [name, value] : *headers) response.headers.push_back({name, value});
}

}  // namespace fairlead::transport
