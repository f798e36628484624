#pragma once

#include <cstddef>
#include <cstdint>
#include <fairlead/base/result.hpp>
#include <fairlead/json/codec.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fairlead::skills {

/// Limits of one skill, from the specification.
inline constexpr std::size_t max_files = 512;
inline constexpr std::int64_t max_bytes = std::int64_t{16} * 1024 * 1024;

/// A file of a skill, as its entry lists it.
struct SkillFile {
  static constexpr bool initialisers_are_defaults = false;
  std::string uri;
  std::string digest;     ///< `sha256:` and 64 lowercase hex digits, of the raw bytes.
  std::int64_t size = 0;  ///< Bytes.

  bool operator==(const SkillFile&) const = default;
};

/// An entry of skills/list. Members are spelled as on the wire.
struct Skill {
  std::string uri;            ///< URI of its SKILL.md.
  json::Payload frontmatter;  ///< The YAML front matter of SKILL.md as a JSON object.
  /// All files of the skill, SKILL.md included; or the text `dynamic` if the server does not list them.
  std::variant<std::vector<SkillFile>, std::string> resources = {};
  json::Extra extra = {};

  std::string name() const;
  std::string description() const;
  /// The URI of the directory, without a trailing slash.
  std::string_view directory() const;
  /// The listed files; null for a dynamic skill.
  const std::vector<SkillFile>* files() const { return std::get_if<std::vector<SkillFile>>(&resources); }
  /// The listed file with this URI; null if there is none.
  const SkillFile* find(std::string_view file_uri) const;
};

/// True for a valid name: 1 to 64 characters of a-z, 0-9 and single hyphens, none at either end.
bool is_skill_name(std::string_view name);

/// Checks the entry against the rules of the specification: name, URIs, digests and limits. Reads no file.
Result<void> check_entry(const Skill& skill);

}  // namespace fairlead::skills
