#pragma once

#include <fairlead/base/loop.hpp>
#include <fairlead/gateway/middleware.hpp>
#include <memory>
#include <string>

namespace fairlead::gateway {

struct AuditOptions {
  std::string name = "audit";  ///< Of this place in the chain: the component of its lines.
  bool json = false;           ///< One object a line; else words.
  bool params = false;         ///< What was asked too, with secrets hidden.
};

/// A line for each call that has ended: who asked for what, of which server, how it ended on the way, by the protocol
/// and for the tool, and how long it took from here on.
std::unique_ptr<Middleware> audit(AuditOptions options, Loop loop);

}  // namespace fairlead::gateway
