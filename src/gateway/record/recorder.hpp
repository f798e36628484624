#pragma once

#include <fairlead/gateway/middleware.hpp>
#include <memory>

#include "gateway/record/tape.hpp"

namespace fairlead::gateway {

/// Tells the tape of all that passes it, in both directions; passes on untouched what nobody wants to have taken down.
std::unique_ptr<Middleware> recorder(std::shared_ptr<Tape> tape);

}  // namespace fairlead::gateway
