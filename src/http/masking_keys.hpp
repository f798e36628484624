#pragma once

#include "http/websocket_frame.hpp"

namespace fairlead::http {

/// Unpredictable masking keys (RFC 6455 section 10.3), generated in blocks.
class MaskingKeys {
 public:
  MaskKey next();

 private:
  std::array<MaskKey, 16> keys_{};
  std::size_t used_ = keys_.size();
};

}  // namespace fairlead::http
