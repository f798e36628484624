#pragma once

#include <fairlead/http/message.hpp>
#include <fairlead/jsonrpc/read.hpp>
#include <fairlead/transport/session_factory.hpp>

/// HTTP headers that are passed on with messages.
namespace fairlead::transport {

/// Returns the headers of a request that the factory wants to receive; null if there are none.
std::shared_ptr<const jsonrpc::MessageHeaders> forwarded_headers(const http::Request& request,
                                                                 const SessionFactory& factory);

/// Attaches these headers to every JSON-RPC request in the body.
void attach_headers(jsonrpc::Incoming& incoming, const http::Request& request, const SessionFactory& factory);

/// The body as a session receives it.
inline Received received(jsonrpc::Incoming&& incoming) {
  return std::visit([](auto& what) -> Received { return std::move(what); }, incoming);
}

/// Adds the headers of a message to the HTTP response.
void apply_headers(http::Response& response, const jsonrpc::Message& message);

}  // namespace fairlead::transport
