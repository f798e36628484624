#pragma once

#include <fairlead/protocol/protocol_error.hpp>
#include <string_view>

namespace fairlead::protocol {

/// Code and texts of one error in one dialect. `%s` is replaced by the subject and `%d` by the detail; `data` is JSON.
struct ErrorFormat {
  std::int64_t code = 0;
  std::string_view message = {};
  std::string_view data = {};
  bool in_band = false;  ///< Sent to the model as a tool result with `isError`.
};

/// The entry of the error table for this kind, revision and dialect.
ErrorFormat error_format(ProtocolError kind, const Revision& revision, ErrorDialect dialect);

}  // namespace fairlead::protocol
