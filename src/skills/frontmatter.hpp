#pragma once

#include <cstddef>
#include <expected>
#include <fairlead/json/payload.hpp>
#include <map>
#include <string>
#include <string_view>

namespace fairlead::skills {

/// The YAML front matter of a SKILL.md.
struct Frontmatter {
  json::Payload json;                                 ///< An object.
  std::map<std::string, std::size_t> key_lines = {};  ///< Line in the file of each key of the object.
};

/// Why a front matter cannot be read, and the line in the file.
struct FrontmatterError {
  std::size_t line = 1;
  std::string reason;
};

/// Reads the front matter by the core schema of YAML 1.2, as the `yaml` package of npm does: `2026-07-28` and `yes` are
/// text, `1.10` is the number 1.1, infinities are null. Aliases are expanded; size, depth and number of values are
/// limited.
std::expected<Frontmatter, FrontmatterError> read_frontmatter(std::string_view skill_md);

/// True if two JSON values are equal; the order of members and the spelling of numbers do not count.
bool is_same_json(const json::Payload& left, const json::Payload& right);

}  // namespace fairlead::skills
