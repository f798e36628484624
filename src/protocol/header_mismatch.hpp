#pragma once

#include <expected>
#include <fairlead/protocol/fault.hpp>
#include <string>
#include <utility>

namespace fairlead::protocol {

inline std::unexpected<Error> mismatch(std::string message) {
  return std::unexpected(fault_error(Fault::header_mismatch, std::move(message)));
}

}  // namespace fairlead::protocol
