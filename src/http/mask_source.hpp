#pragma once

#include <array>
#include <cstddef>

#include "http/websocket_frame.hpp"

namespace fairlead::http {

/// Keys nobody can foresee, as RFC 6455 section 10.3 wants them; drawn several at a time.
class MaskSource {
 public:
  MaskKey next();

 private:
  std::array<MaskKey, 16> keys_{};
  std::size_t used_ = keys_.size();
};

}  // namespace fairlead::http
