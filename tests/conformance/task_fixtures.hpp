#pragma once

#include <fairlead/server.hpp>

/// The tools that the official suite needs for its scenarios about tasks. They replace the demo's tools of the same
/// names.
void add_task_fixtures(fairlead::Server& server);
