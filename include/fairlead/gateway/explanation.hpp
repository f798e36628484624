#pragma once

#include <cstdint>
#include <string>

namespace fairlead::gateway {

/// What a middleware would do to a call, for display.
struct Explanation {
  enum class Effect : std::uint8_t {
    passes,
    refuses,
    answers,  ///< Instead of the server.
    unknown,  ///< Cannot be known without making the call.
  };

  Effect effect = Effect::passes;
  std::string summary = {};  ///< For example `times out after 30s`; without secrets.
};

}  // namespace fairlead::gateway
