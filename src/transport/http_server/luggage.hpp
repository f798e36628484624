#pragma once

#include <fairlead/http/message.hpp>
#include <fairlead/jsonrpc/read.hpp>
#include <fairlead/transport/host.hpp>
#include <memory>

/// Header fields that travel beside messages.
namespace fairlead::transport {

/// The fields of a request that the host has asked for; null where there are none.
std::shared_ptr<const jsonrpc::Luggage> luggage_of(const http::Request& request, const Host& host);

/// Has every request among the messages that an HTTP request carries bring its fields along.
void take_along(jsonrpc::Incoming& incoming, const http::Request& request, const Host& host);

/// Adds to an answer over HTTP what the message brings along.
void hand_out(http::Response& response, const jsonrpc::Message& message);

}  // namespace fairlead::transport
