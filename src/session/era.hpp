#pragma once

#include <fairlead/jsonrpc/message.hpp>
#include <fairlead/protocol/era_codec.hpp>
#include <fairlead/protocol/fault.hpp>
#include <fairlead/session/session.hpp>
#include <optional>
#include <string>

namespace fairlead::session {

/// A request of the peer's, once it is clear which revision it speaks.
struct Prepared {
  const protocol::Revision* revision = nullptr;
  std::shared_ptr<const protocol::Caller> caller = nobody();
  json::Payload params = {};
};

/// Finds out which era a peer speaks, from its opening, and holds it to the handshake where there is one.
///
/// One conversation may see both eras: a stateless request stands for itself, `initialize` opens a handshake. Only
/// `server/discover` decides nothing, because clients ask it and then shake hands all the same.
class Era {
 public:
  explicit Era(const SessionOptions& options) : options_(options), dialect_(options.dialect) {}

  /// Puts the specification's name for an alias, and takes its hint about the dialect.
  void resolve_alias(std::string& method);

  /// The request in neutral form, or why it cannot be served; then `answers_in` says in which revision to tell. Takes
  /// the params away, but those of a stateless request, which are not what it makes of them.
  Result<Prepared> prepare(const std::string& method, json::Payload& params, const jsonrpc::Landmarks& landmarks,
                           bool is_alias);

  /// The revision for an answer to a request that could not be prepared.
  const protocol::Revision& answers_in() const;

  /// What the handshake settled, or a client adopted.
  const protocol::Revision* revision() const { return revision_; }
  const std::shared_ptr<const protocol::Caller>& caller() const { return caller_; }
  void adopt(const protocol::Revision& revision, protocol::Caller self);

  bool accepts_batches() const;
  protocol::Dialect dialect() const { return dialect_; }

 private:
  Result<Prepared> prepare_stateless(const std::string& method, const json::Payload& params,
                                     const jsonrpc::Landmarks& landmarks);
  Result<Prepared> open_handshake(json::Payload params);
  Result<Prepared> prepare_handshake(const std::string& method, json::Payload params, bool is_alias);
  Result<Prepared> prepare_for_client(const std::string& method, json::Payload params);

  const SessionOptions& options_;
  protocol::Dialect dialect_;
  const protocol::Revision* revision_ = nullptr;
  std::shared_ptr<const protocol::Caller> caller_ = nobody();
  bool stateless_ = false;         // The peer opened with stateless requests.
  bool told_statelessly_ = false;  // The request at hand claims to be stateless.
};

}  // namespace fairlead::session
