#pragma once

#include <fairlead/server.hpp>
#include <string>

/// The features of the demo server by group. `server` outlives its handlers, so they may refer to it.
namespace fairlead::demo {

void add_load_tools(Server& server);          ///< Tools for load drivers.
void add_data_tools(Server& server);          ///< Numbers, structured results with a page, pictures, files.
void add_notification_tools(Server& server);  ///< Log messages and errors.
void add_client_tools(Server& server);        ///< What a server may ask of a client: elicitation, sampling, roots.
void add_task_tools(Server& server);          ///< A tool that becomes a task.
void add_change_tools(Server& server);        ///< Tools that change the lists and a resource.
void add_resources(Server& server);
void add_prompts(Server& server);
void add_skill(Server& server);

/// Options of a tool that changes nothing.
server::ToolOptions read_only(std::string title, std::string description);
/// Options of a tool that changes the state of this process.
server::ToolOptions changing(std::string title, std::string description);

/// The known cities whose names begin with this text, in any case.
std::vector<std::string> cities_beginning_with(const std::string& prefix);

}  // namespace fairlead::demo
