#pragma once

#include <fairlead/protocol/protocol_error.hpp>

namespace fairlead::protocol {

inline std::unexpected<Error> header_mismatch_error(std::string message) {
  return refuse(ProtocolError::header_mismatch, std::move(message));
}

}  // namespace fairlead::protocol
