#pragma once

#include <fairlead/client/client.hpp>

/// Names that a client needs, in the namespace fairlead.
namespace fairlead {

using client::Arguments;
using client::CallOptions;
using client::Client;
using client::ClientOptions;
using client::connect;
using client::Connection;
using client::Endpoint;
using client::with_server;

}  // namespace fairlead
