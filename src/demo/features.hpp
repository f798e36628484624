#pragma once

#include <fairlead/server.hpp>

/// The features of the demo server by group. `server` outlives its handlers, so they may refer to it.
namespace fairlead::demo {

void add_content_tools(Server& server);       ///< Text, images, audio, embedded resources.
void add_load_tools(Server& server);          ///< Tools for load drivers.
void add_schema_tools(Server& server);        ///< Derived and hand-written schemas, structured results.
void add_notification_tools(Server& server);  ///< Progress and log messages.
void add_elicitation_tools(Server& server);   ///< Elicitation and sampling.
void add_input_round_tools(Server& server);   ///< Elicitation, sampling and roots with keys and request state.
void add_job_tools(Server& server);           ///< Slow and failing tools.
void add_resources(Server& server);
void add_prompts(Server& server);
void add_change_tools(Server& server);  ///< Tools that change the lists and a resource.

}  // namespace fairlead::demo
