#pragma once

#include <fairlead/gateway/audit_log.hpp>
#include <fairlead/gateway/auth.hpp>
#include <fairlead/gateway/breaker.hpp>
#include <fairlead/gateway/cache.hpp>
#include <fairlead/gateway/chain.hpp>
#include <fairlead/gateway/command_tools.hpp>
#include <fairlead/gateway/describe.hpp>
#include <fairlead/gateway/explanation.hpp>
#include <fairlead/gateway/fault.hpp>
#include <fairlead/gateway/filter.hpp>
#include <fairlead/gateway/headers.hpp>
#include <fairlead/gateway/limit.hpp>
#include <fairlead/gateway/lua.hpp>
#include <fairlead/gateway/middleware.hpp>
#include <fairlead/gateway/pin.hpp>
#include <fairlead/gateway/record.hpp>
#include <fairlead/gateway/redact.hpp>
#include <fairlead/gateway/registry.hpp>
#include <fairlead/gateway/rename.hpp>
#include <fairlead/gateway/retry.hpp>
#include <fairlead/gateway/search.hpp>
#include <fairlead/gateway/timeout.hpp>
#include <fairlead/gateway/transformers.hpp>

/// Names that a middleware needs, in the namespace fairlead.
namespace fairlead {

using gateway::BidirectionalMiddleware;
using gateway::Chain;
using gateway::chain;
using gateway::Explanation;
using gateway::Metric;
using gateway::Middleware;
using gateway::refuse;
using gateway::ShortCircuit;
using json::Payload;
using session::Call;
using session::Notification;
using session::Reply;
using session::Service;

}  // namespace fairlead
