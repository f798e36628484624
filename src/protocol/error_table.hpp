#pragma once

#include <cstdint>
#include <fairlead/protocol/fault.hpp>
#include <string_view>

namespace fairlead::protocol {

/// How one dialect tells one fault. In the texts, `%s` stands for the subject and `%d` for the detail; `data` is JSON.
struct Telling {
  std::int64_t code = 0;
  std::string_view message = {};
  std::string_view data = {};
  bool in_band = false;  ///< Told to the model as a tool result with `isError`.
};

/// The cell of table E for these three.
Telling telling(Fault fault, const Revision& revision, Dialect dialect);

}  // namespace fairlead::protocol
