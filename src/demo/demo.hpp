#pragma once

#include <fairlead/server.hpp>
#include <memory>
#include <string>

namespace fairlead::demo {

/// A server with one of everything.
std::unique_ptr<Server> make_demo(std::string version);

}  // namespace fairlead::demo
