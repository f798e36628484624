#pragma once

#include <fairlead/protocol/era_codec.hpp>

namespace fairlead::protocol {

/// The codec of every revision that starts with `initialize`.
const EraCodec& handshake_codec();

}  // namespace fairlead::protocol
