#pragma once

#include <chrono>
#include <cstddef>
#include <fairlead/protocol/model/common.hpp>
#include <fairlead/skills/skill.hpp>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fairlead::server {
class Server;
}

namespace fairlead::skills {

struct SkillsOptions {
  std::chrono::milliseconds ttl{0};  ///< How long clients may cache the list of skills.
  protocol::CacheScope cache_scope = protocol::CacheScope::private_;
  bool directories = true;  ///< Offer resources/directory/read.
  /// Decides which skills are listed. The others can be read by their URI. All by default.
  std::function<bool(const Skill&)> listed = {};
  std::size_t page_size = 100;  ///< Maximum number of entries on a page.
};

struct ServedSkillsState;

/// The skills that a server serves. Copies share them.
class ServedSkills {
 public:
  explicit ServedSkills(std::shared_ptr<ServedSkillsState> state) : state_(std::move(state)) {}

  std::vector<Skill> skills() const;

  /// Reads the folder again (skills without a folder do not change), replaces all skills at once, and notifies clients
  /// of what changed. On error the old skills stay. Thread-safe; the server must still exist.
  Result<void> reload();

 private:
  std::shared_ptr<ServedSkillsState> state_;
};

/// Serves every folder below `folder` that has a SKILL.md, or `folder` itself if it has one, as `skill://…` resources.
///
/// The files are read once: clients never see a digest of other bytes. Hidden files are not served. Links out of the
/// folder, invalid names, missing descriptions and skills over the limits are errors: throws std::invalid_argument with
/// one line for each, with file and line. Call it once per server, before the server starts to serve.
///
/// The rule of `Server::visible` is asked with the URI of SKILL.md: a hidden skill is neither listed nor readable.
ServedSkills serve_skills(server::Server& server, std::filesystem::path folder, SkillsOptions options = {});

/// Skills that a program contains: the bytes of each file by its path, such as `trip-planning/SKILL.md`.
using SkillFiles = std::map<std::string, std::string>;

/// Serves skills that the program contains, by the same rules. Every file is in a folder that has a SKILL.md.
ServedSkills serve_skills(server::Server& server, SkillFiles files, SkillsOptions options = {});

/// Reads the skills of a folder like `serve_skills`. The error has one line for each mistake.
Result<std::vector<Skill>> read_skills(const std::filesystem::path& folder);

}  // namespace fairlead::skills
