#pragma once

#include <fairlead/base/result.hpp>
#include <filesystem>

namespace fairlead {

/// Reads a whole file. The error is "cannot be read: " and the reason of the system.
Result<std::string> read_file(const std::filesystem::path& path);

}  // namespace fairlead
