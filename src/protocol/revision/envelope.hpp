#pragma once

#include <fairlead/protocol/era_codec.hpp>
#include <fairlead/protocol/meta_keys.hpp>

namespace fairlead::protocol {

/// The client information in the `_meta` of a stateless request, as JSON in the order of `meta::envelope`.
struct RequestEnvelope {
  std::array<std::string_view, meta::envelope.size()> values = {};
  bool is_only = true;                   ///< `_meta` has no other members.
  std::string_view progress_token = {};  ///< Stored too, because it is needed as often.

  RequestEnvelope() = default;
  explicit RequestEnvelope(std::string_view meta);
};

/// Parses a `_meta`; caches the last one, because it is needed several times per request and repeated by clients. Valid
/// until the next call on this thread.
const RequestEnvelope& envelope_in(std::string_view meta);

/// The client information, or an error that names the missing member. Equal requests may share one object.
Result<std::shared_ptr<const ClientIdentity>> client_identity(const RequestEnvelope& envelope);

}  // namespace fairlead::protocol
