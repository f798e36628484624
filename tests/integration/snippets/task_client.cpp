// Surrounds a snippet inside a function: functions that keep a text.
#include <chrono>
#include <fairlead/client.hpp>

using namespace fairlead;
using namespace std::chrono_literals;

void use_tasks(void (*save)(std::string), std::string (*load)()) {
  SNIPPET
}
