#pragma once

#include <fairlead/base/result.hpp>
#include <filesystem>
#include <optional>

namespace fairlead::config {

/// Reads a file whose content is trusted, such as the pins. Nothing if it does not exist. Fails if another user can
/// write it.
Result<std::optional<std::string>> read_trusted_file(const std::filesystem::path& path);

}  // namespace fairlead::config
