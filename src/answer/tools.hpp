#pragma once

#include <fairlead/server.hpp>

#include "answer/asking.hpp"

namespace fairlead::answer {

/// `answer` first, then the others that the configuration wants. `asking` outlives the server.
void add_tools(Server& server, const Asking& asking);

}  // namespace fairlead::answer
