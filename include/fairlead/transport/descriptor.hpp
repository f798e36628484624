#pragma once

#include <fairlead/base/descriptor.hpp>

namespace fairlead::transport {

using fairlead::Descriptor;

}  // namespace fairlead::transport
