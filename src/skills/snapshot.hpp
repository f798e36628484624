#pragma once

#include <fairlead/protocol/model/resources.hpp>
#include <fairlead/skills/serve.hpp>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::skills {

struct StoredFile {
  std::string bytes;
  std::string mime_type;
  bool is_text = false;  ///< UTF-8 without NUL.
  SkillFile entry;
};

struct StoredSkill {
  Skill skill;
  std::string json;  ///< The entry as sent.
  bool listed = true;
};

/// All skills of a folder or of a program with the bytes of their files. Never changes.
struct Snapshot {
  std::map<std::string, StoredSkill, std::less<>> skills;  ///< By the URI of SKILL.md.
  std::map<std::string, StoredFile, std::less<>> files;    ///< By URI.
  /// The children of each directory of a skill, in the order of their URIs; by the URI of the directory.
  std::map<std::string, std::vector<protocol::Resource>, std::less<>> directories;

  const StoredSkill* find_skill(std::string_view uri) const;
  const StoredFile* find_file(std::string_view uri) const;
  static protocol::ResourceContents contents_of(const StoredFile& file);
};

/// Reads a folder. The error has one line for each mistake, with file and line.
Result<std::shared_ptr<const Snapshot>> read_snapshot(const std::filesystem::path& folder,
                                                      const SkillsOptions& options);

/// The same for files that the program contains.
Result<std::shared_ptr<const Snapshot>> make_snapshot(const SkillFiles& files, const SkillsOptions& options);

}  // namespace fairlead::skills
