#pragma once

#include <fairlead/session/service.hpp>

namespace fairlead::gateway {

/// Names a call in errors and logs: `tools/call 'search'`, `resources/read 'file:///a'`, `tools/list`.
std::string call_label(const session::Call& call);

}  // namespace fairlead::gateway
