#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/jsonrpc/message.hpp>
#include <fairlead/protocol/model/capabilities.hpp>
#include <fairlead/protocol/revision.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace fairlead::protocol {

/// What a request says of its sender, wherever its era puts that: in `_meta`, or settled once by a handshake.
struct Caller {
  std::string revision = {};  ///< The name as it was sent; whether we serve it is for others to say.
  ClientCapabilities capabilities = {};
  std::optional<Implementation> info = {};
  std::optional<LoggingLevel> log_level = {};  ///< Nothing: this request wants no log messages.
};

/// A request in neutral form.
struct LiftedRequest {
  std::shared_ptr<const Caller> caller;  ///< Null where the era settles it by a handshake. Requests may share one.
  Payload params;                        ///< Free of what only the era put there.
};

enum class ResultKind : std::uint8_t { complete, input_required, other };

/// A result in neutral form.
struct LiftedResult {
  ResultKind kind = ResultKind::complete;
  Payload body;
  std::shared_ptr<const Implementation> server = {};  ///< Who signed it; null for nobody.
  std::string other_kind = {};  ///< What it calls itself if `kind` is `other`: an extension's word, or garbage.
};

/// What a server puts on a result that its handler did not.
struct ResultStamp {
  std::string_view method;
  ResultKind kind = ResultKind::complete;
  const Implementation* server = nullptr;
  std::string_view other_kind = {};
  const Revision* written_in = nullptr;  ///< The revision of the server that wrote the result; null if that is unknown.
};

/// Turns what travels in an era into the neutral model's form, and back.
///
/// Touches only what its era owns: all other bytes of params and results stay as they are.
class EraCodec {
 public:
  virtual ~EraCodec() = default;

  /// `meta` is where `_meta` stands in `params`.
  virtual Result<LiftedRequest> lift_request(const Payload& params, json::Span meta) const = 0;
  Result<LiftedRequest> lift_request(const Payload& params) const {
    return lift_request(params, jsonrpc::find_landmarks(params).meta);
  }
  virtual Payload lower_request(const Payload& params, const std::shared_ptr<const Caller>& caller) const = 0;

  virtual Result<LiftedResult> lift_result(Payload result) const = 0;
  virtual Payload lower_result(Payload body, const ResultStamp& stamp, const Revision& revision) const = 0;
};

/// Whether these params claim the stateless era, rightly or not: their `_meta` names a protocol version.
bool claims_stateless(std::string_view meta);

/// Whether a `_meta` says who is calling, and nothing else.
bool is_mere_envelope(std::string_view meta);

/// The version that a `_meta` names which has all that it must have; nothing else is looked at.
std::optional<std::string> claimed_version(std::string_view meta);

/// The JSON of the progress token in a `_meta`, or nothing. Valid until this thread asks about another `_meta`.
std::string_view progress_token_in(std::string_view meta);

}  // namespace fairlead::protocol
