#pragma once

#include <fairlead/client/options.hpp>
#include <fairlead/session/service.hpp>
#include <string>

#include "gateway/origins.hpp"

namespace fairlead::gateway {

/// One server behind the gateway, whatever it speaks and however it is reached.
///
/// Called in the form of the handshake revisions, whichever it speaks itself: `resources/subscribe` and
/// `logging/setLevel` exist, and what it wants to know it asks through the call's backchannel. What it tells without
/// being asked goes to the peer of every conversation that attends it.
class Member : public session::Service, public Origins {
 public:
  virtual const std::string& name() const = 0;
  std::optional<std::string> origin_of(ListKind, std::string_view) const final { return name(); }

  /// Who it is and what it can do. Starts it, or waits for it, where need be.
  virtual Task<Result<client::ServerDescription>> describe() = 0;

  /// The same for one caller, who may have a server of his own.
  virtual Task<Result<client::ServerDescription>> describe_for(const session::Call&) { return describe(); }

  /// The same as it was last time; null before it was ever reached.
  virtual const client::ServerDescription* known() const = 0;

  /// Whether requests to it can carry headers (upstream/header_sets.hpp).
  virtual bool takes_headers() const { return false; }

  /// A hint, before calls of the gateway's own: which revision the client speaks for whom they are made.
  virtual void expect(const protocol::Revision&) {}

  /// Whether asking it now starts nothing.
  virtual bool awake() const { return known() != nullptr; }
};

}  // namespace fairlead::gateway
