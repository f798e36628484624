#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/gateway/middleware.hpp>

namespace fairlead::gateway {

struct AuditOptions {
  std::string name = "audit";  ///< Component of the log lines.
  bool json = false;           ///< One JSON object per line, else `name=value` pairs.
  bool params = false;         ///< Also logs the params, with secrets redacted.
};

/// Logs one line per call: caller, target, server, outcome on each plane, and time from this step on.
std::unique_ptr<Middleware> audit(AuditOptions options, EventLoop loop);

}  // namespace fairlead::gateway
