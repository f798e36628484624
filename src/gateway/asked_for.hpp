#pragma once

#include <fairlead/session/service.hpp>
#include <string>

namespace fairlead::gateway {

/// For errors and logs: `tools/call 'search'`, `resources/read 'file:///a'`, `tools/list`.
std::string asked_for(const session::Call& call);

}  // namespace fairlead::gateway
