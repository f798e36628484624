#pragma once

#include <fairlead/server.hpp>

/// What the demo offers, a function for each kind. `server` outlives its own handlers, so they may refer to it.
namespace fairlead::demo {

void add_content_tools(Server& server);   ///< Text, pictures, sound, embedded resources.
void add_load_tools(Server& server);      ///< What load drivers call.
void add_schema_tools(Server& server);    ///< Schemas from types and by hand, structured results.
void add_notice_tools(Server& server);    ///< Progress and log messages.
void add_question_tools(Server& server);  ///< Elicitation and sampling.
void add_round_tools(
    Server& server);            ///< The same and roots, with keys and state that a client of the stateless era carries.
void add_jobs(Server& server);  ///< What takes a while, or fails.
void add_resources(Server& server);
void add_prompts(Server& server);
void add_changes(Server& server);  ///< What changes the lists and a resource while clients look on.

}  // namespace fairlead::demo
