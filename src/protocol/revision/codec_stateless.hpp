#pragma once

#include <fairlead/protocol/era_codec.hpp>

namespace fairlead::protocol {

/// The codec of the revisions in which every request stands alone.
const EraCodec& stateless_codec();

}  // namespace fairlead::protocol
