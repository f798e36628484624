#pragma once

#include <fairlead/base/result.hpp>
#include <filesystem>
#include <optional>
#include <string>

namespace fairlead::gateway {

/// The whole of a file of ours that decides what is believed; nothing if there is none. Refuses one that somebody else
/// could have written.
Result<std::optional<std::string>> read_own_file(const std::filesystem::path& path);

}  // namespace fairlead::gateway
