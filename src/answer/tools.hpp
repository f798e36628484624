#pragma once

#include <fairlead/server.hpp>

#include "answer/answer_engine.hpp"

namespace fairlead::answer {

/// Registers `answer`, then the other configured tools. `engine` outlives the server.
void add_tools(Server& server, const AnswerEngine& engine);

}  // namespace fairlead::answer
