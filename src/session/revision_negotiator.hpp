#pragma once

#include <fairlead/jsonrpc/message.hpp>
#include <fairlead/protocol/era_codec.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <fairlead/session/session.hpp>

namespace fairlead::session {

/// Determines the protocol revision of a peer from its first requests, and enforces the handshake where the revision
/// has one.
///
/// One session may use both eras: a stateless request names its own revision, `initialize` starts a handshake. Only
/// `server/discover` decides nothing, because clients may send it and then `initialize`.
class RevisionNegotiator {
 public:
  explicit RevisionNegotiator(const SessionOptions& options) : options_(options), dialect_(options.dialect) {}

  /// Replaces an alias by the method of the specification, and detects the dialect from it. Returns the alias; empty
  /// if the method is none.
  std::string resolve_alias(std::string& method);

  /// Sets the revision, the client and the params of `call`, in the revision-independent form. Moves the params of
  /// `request`. On an error, respond in `error_revision`.
  Result<void> negotiate(jsonrpc::Request& request, bool is_alias, Call& call);

  /// The revision for an error response to a request that was rejected.
  const protocol::Revision& error_revision() const;

  /// The revision of the handshake, or the one that a client adopted.
  const protocol::Revision* revision() const { return revision_; }
  const std::shared_ptr<const protocol::ClientIdentity>& caller() const { return caller_; }
  void adopt(const protocol::Revision& revision, protocol::ClientIdentity self);

  bool accepts_batches() const;
  protocol::ErrorDialect dialect() const { return dialect_; }

 private:
  Result<void> negotiate_stateless(jsonrpc::Request& request, Call& call);
  Result<void> negotiate_initialize(const json::Payload& params);
  Result<void> negotiate_handshake(const std::string& method, bool is_alias) const;

  const SessionOptions& options_;
  protocol::ErrorDialect dialect_;
  const protocol::Revision* revision_ = nullptr;
  std::shared_ptr<const protocol::ClientIdentity> caller_ = anonymous_caller();
  bool stateless_ = false;             // The first request of the peer was stateless.
  bool current_is_stateless_ = false;  // The current request claims to be stateless.
};

}  // namespace fairlead::session
