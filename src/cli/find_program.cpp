#include "cli/find_program.hpp"

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <unistd.h>

namespace fairlead::cli {
namespace {

bool is_program(const std::string& path) {
  std::error_code error;
  return ::access(path.c_str(), X_OK) == 0 && !std::filesystem::is_directory(path, error);
}

}  // namespace

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return is_program(name) ? name : "";
  const char* value = std::getenv("PATH");
  std::string_view rest = value ? value : "";
  while (!rest.empty()) {
    const auto end = std::min(rest.find(':'), rest.size());
    const auto path = std::string(rest.substr(0, end)) + "/" + name;
    if (end > 0 && is_program(path)) return path;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return "";
}

}  // namespace fairlead::cli
