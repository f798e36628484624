#pragma once

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <sys/wait.h>

namespace fairlead::test {

inline std::size_t open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

/// True if this process has children, alive or zombies; reaps none.
inline bool has_children() {
  siginfo_t ignored = {};
  return ::waitid(P_ALL, 0, &ignored, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

}  // namespace fairlead::test
