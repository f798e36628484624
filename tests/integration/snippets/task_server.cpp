// Surrounds a snippet inside a function: a server `app`, and the handler of a tool.
#include <chrono>
#include <fairlead/server.hpp>

using namespace fairlead;
using namespace std::chrono_literals;

void add_tools(Server& app, Task<std::string> (*render)(Context&)) {
  SNIPPET
}
