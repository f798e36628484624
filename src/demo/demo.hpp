#pragma once

#include <fairlead/server.hpp>
#include <memory>
#include <string>

namespace fairlead::demo {

/// Makes the demo server with all its features.
std::unique_ptr<Server> make_demo(std::string version);

}  // namespace fairlead::demo
