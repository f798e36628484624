#pragma once

#include <cstdint>
#include <string>

namespace fairlead::gateway {

/// What a middleware would do to a call, for people.
struct Explanation {
  enum class Effect : std::uint8_t {
    passes,
    refuses,
    answers,  ///< In the server's place.
    unknown,  ///< Only the call itself would tell.
  };

  Effect effect = Effect::passes;
  std::string says = {};  ///< As in `gives up after 30s`; without secrets.
};

}  // namespace fairlead::gateway
