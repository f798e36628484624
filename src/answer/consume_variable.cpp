#include "answer/consume_variable.hpp"

#include <cstdlib>
#include <cstring>
#include <string.h>
#include <string_view>
#include <unistd.h>

namespace fairlead::answer {

std::string consume_variable(const std::string& name) {
  const auto begin = name + "=";
  std::string taken;
  // Takes the first value, but erases all: `environ` may contain duplicates.
  for (char** entry = ::environ; entry != nullptr && *entry != nullptr; ++entry) {
    if (!std::string_view(*entry).starts_with(begin)) continue;
    char* value = *entry + begin.size();
    if (taken.empty()) taken = value;
    ::explicit_bzero(value, std::strlen(value));
  }
  ::unsetenv(name.c_str());
  return taken;
}

}  // namespace fairlead::answer
