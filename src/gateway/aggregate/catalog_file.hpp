#pragma once

#include <array>
#include <fairlead/protocol/model/capabilities.hpp>
#include <filesystem>

#include "gateway/model/backend_list.hpp"

namespace fairlead::gateway {

/// A server's capabilities and lists, saved for the next run.
struct SavedBackend {
  std::string name;
  std::string fingerprint = {};  ///< Of the server's configuration.
  protocol::ServerCapabilities capabilities = {};
  std::string instructions = {};
  std::array<std::optional<BackendList>, all_lists.size()> lists = {};
};

std::string to_json(const std::vector<SavedBackend>& backends);
/// Skips invalid entries; fails with `malformed` if the text is not a catalogue.
Result<std::vector<SavedBackend>> from_json(std::string_view text);

/// Replaces the file atomically, with mode 0600.
Result<void> write_catalog(const std::filesystem::path& path, const std::vector<SavedBackend>& backends);
/// Returns an empty list if the file does not exist. Fails if other users could have written it.
Result<std::vector<SavedBackend>> read_catalog(const std::filesystem::path& path);

}  // namespace fairlead::gateway
