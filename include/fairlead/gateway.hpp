#pragma once

#include <fairlead/gateway/chain.hpp>
#include <fairlead/gateway/middleware.hpp>
#include <fairlead/gateway/registry.hpp>
#include <fairlead/gateway/timeout.hpp>
#include <fairlead/gateway/transformers.hpp>

/// The front door for authors of middleware.
namespace fairlead {

using gateway::Chain;
using gateway::chain;
using gateway::EarlyAnswer;
using gateway::Middleware;
using gateway::refuse;
using gateway::TwoWayMiddleware;
using json::Payload;
using session::Call;
using session::Notice;
using session::Reply;
using session::Service;

}  // namespace fairlead
