#pragma once

#include <fairlead/gateway/middleware.hpp>

#include "gateway/record/record_line_builder.hpp"

namespace fairlead::gateway {

/// Middleware that reports messages in both directions to `builder`. Forwards calls directly while its lines are not
/// wanted.
std::unique_ptr<Middleware> recorder(std::shared_ptr<RecordLineBuilder> builder);

}  // namespace fairlead::gateway
