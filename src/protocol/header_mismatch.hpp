#pragma once

#include <expected>
#include <fairlead/protocol/protocol_error.hpp>
#include <utility>

namespace fairlead::protocol {

inline std::unexpected<Error> header_mismatch_error(std::string message) {
  return std::unexpected(protocol_error(ProtocolError::header_mismatch, std::move(message)));
}

}  // namespace fairlead::protocol
