#pragma once

#include <fairlead/protocol/era_codec.hpp>

namespace fairlead::protocol {

/// The codec of the revisions with an `initialize` handshake.
const EraCodec& handshake_codec();
/// The codec of the stateless revisions.
const EraCodec& stateless_codec();

}  // namespace fairlead::protocol
