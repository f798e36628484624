#pragma once

#include <array>
#include <fairlead/base/result.hpp>
#include <fairlead/protocol/model/capabilities.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/merge/member_list.hpp"

namespace fairlead::gateway {

/// What is known of a server, to be listed without it in another run.
struct SavedMember {
  std::string name;
  std::string fingerprint = {};  ///< Of the configuration that it was known under.
  protocol::ServerCapabilities capabilities = {};
  std::string instructions = {};
  std::array<std::optional<MemberList>, all_lists.size()> lists = {};
};

std::string to_json(const std::vector<SavedMember>& members);
/// What is of no use is left out; a text that is no catalogue at all is `malformed`.
Result<std::vector<SavedMember>> from_json(std::string_view text);

/// Puts the file in place as a whole, readable by its owner alone.
Result<void> write_catalogue(const std::filesystem::path& path, const std::vector<SavedMember>& members);
/// Nothing in it if there is no such file. Refuses one that somebody else could have written.
Result<std::vector<SavedMember>> read_catalogue(const std::filesystem::path& path);

}  // namespace fairlead::gateway
