#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/jsonrpc/message.hpp>
#include <fairlead/protocol/model/capabilities.hpp>
#include <fairlead/protocol/revision.hpp>

namespace fairlead::protocol {

/// Client information of a request: from its `_meta` (stateless revisions) or from the initialize handshake.
struct ClientIdentity {
  std::string revision = {};  ///< Revision name as sent; not checked for support.
  ClientCapabilities capabilities = {};
  std::optional<Implementation> info = {};
  std::optional<LoggingLevel> log_level = {};  ///< Nothing: send no log messages for this request.
};

/// A request in the revision-independent form.
struct DecodedRequest {
  std::shared_ptr<const ClientIdentity> caller;  ///< Null if set by the handshake. May be shared.
  Payload params;                                ///< Without the members that the era adds.
};

enum class ResultKind : std::uint8_t { complete, input_required, other };

/// A result in the revision-independent form.
struct DecodedResult {
  ResultKind kind = ResultKind::complete;
  Payload body;
  std::shared_ptr<const Implementation> server = {};  ///< Server info in the result's `_meta`; may be null.
  std::string other_kind = {};                        ///< The `resultType` if `kind` is `other`; unchecked.
};

/// The data that the codec adds to a handler's result.
struct ResultEnvelope {
  std::string_view method;
  ResultKind kind = ResultKind::complete;
  const Implementation* server = nullptr;
  std::string_view other_kind = {};
  const Revision* written_in = nullptr;  ///< Revision of the server that wrote the result; may be null.
};

/// Converts params and results between the wire form of an era and the revision-independent form.
///
/// Changes only the members that the era defines; all other bytes are preserved.
class EraCodec {
 public:
  virtual ~EraCodec() = default;

  /// `meta` is the position of `_meta` in `params`.
  virtual Result<DecodedRequest> decode_request(Payload params, json::Span meta) const = 0;
  Result<DecodedRequest> decode_request(Payload params) const {
    const auto meta = jsonrpc::locate_params(params).meta;
    return decode_request(std::move(params), meta);
  }
  virtual Payload encode_request(const Payload& params, const std::shared_ptr<const ClientIdentity>& caller) const = 0;

  virtual Result<DecodedResult> decode_result(Payload result) const = 0;
  virtual Payload encode_result(Payload body, const ResultEnvelope& envelope, const Revision& revision) const = 0;
};

/// True if `_meta` names a protocol version, which marks a stateless request. Does not validate it.
bool claims_stateless(std::string_view meta);

/// True if `_meta` contains only client information.
bool is_envelope_only(std::string_view meta);

/// The protocol version in a `_meta` that has all required members; nothing otherwise.
std::optional<std::string> claimed_version(std::string_view meta);

/// The JSON of the progress token in a `_meta`, or empty. Valid until the next call of these functions on this thread.
std::string_view progress_token_in(std::string_view meta);

}  // namespace fairlead::protocol
