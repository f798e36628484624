#pragma once

#include <fairlead/client/options.hpp>
#include <fairlead/protocol/extension.hpp>
#include <fairlead/session/service.hpp>

#include "gateway/model/backend_lookup.hpp"

namespace fairlead::gateway {

using session::Call;
using session::Reply;
using session::Service;

/// One server behind the gateway, independent of its revision and transport.
///
/// Callers use the form of the handshake revisions, whichever revision the server speaks: `resources/subscribe` and
/// `logging/setLevel` exist, and the server's requests go through the call's `PeerChannel`. Unsolicited messages of the
/// server go to the peer of every open session.
class Backend : public Service, public BackendLookup {
 public:
  virtual const std::string& name() const = 0;
  std::optional<std::string> backend_name_of(ListKind, std::string_view) const final { return name(); }
  bool may_send_requests(ListKind, std::string_view) const override {
    const auto* server = last_description();
    return server == nullptr || server->revision == nullptr || server->revision->server_initiated_requests;
  }

  bool offers_extension(std::string_view id) const override {
    const auto* server = last_description();
    return server == nullptr || protocol::declares_extension(server->capabilities.extensions, id);
  }

  /// Returns the server's identity and capabilities. Connects, or starts the server, if necessary.
  virtual Task<Result<client::ServerDescription>> describe() = 0;

  /// Describes the server for one caller, which may have a server process of its own.
  virtual Task<Result<client::ServerDescription>> describe_for(const Call&) { return describe(); }

  /// The description of the last connection; null before the first connection.
  virtual const client::ServerDescription* last_description() const = 0;

  /// Whether requests to it can carry HTTP headers (`RequestContext::added_headers`).
  virtual bool accepts_headers() const { return false; }

  /// Hint for the gateway's own calls: the revision of the client on whose behalf they are made.
  virtual void expect_revision(const protocol::Revision&) {}

  /// Whether a call would neither connect nor start anything.
  virtual bool is_connected() const { return last_description() != nullptr; }
};

}  // namespace fairlead::gateway
