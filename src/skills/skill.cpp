#include <fairlead/skills/skill.hpp>

#include <algorithm>
#include <fairlead/json/object_edit.hpp>
#include <fmt/format.h>
#include <set>

namespace fairlead::skills {
namespace {

constexpr std::string_view manifest_suffix = "/SKILL.md";

std::string text_member(const json::Payload& object, std::string_view name) {
  const auto member = json::member_of(object, name);
  return member.empty() ? std::string() : json::decode<std::string>(member).value_or("");
}

bool is_digest(std::string_view text) {
  constexpr std::string_view prefix = "sha256:";
  constexpr std::size_t hex_digits = 64;
  return text.starts_with(prefix) && text.size() == prefix.size() + hex_digits &&
         text.find_first_not_of("0123456789abcdef", prefix.size()) == std::string_view::npos;
}

std::unexpected<Error> invalid_entry(const Skill& skill, std::string_view why) {
  Error error{.kind = ErrorKind::malformed, .message = fmt::format("the skill {} is invalid: {}", skill.uri, why)};
  error.subject = skill.uri;
  return std::unexpected(std::move(error));
}

/// What is wrong with one listed file; empty if nothing is.
std::string problem_of(const Skill& skill, const SkillFile& file) {
  const auto below = std::string(skill.directory()) + "/";
  const auto path = file.uri.starts_with(below) ? std::string_view(file.uri).substr(below.size()) : std::string_view();
  const bool leaves = path.empty() || ("/" + std::string(path) + "/").contains("/../");
  if (leaves) return fmt::format("its file {} is outside its directory", file.uri);
  if (!is_digest(file.digest)) return fmt::format("the digest of {} is not sha256 and 64 hex digits", file.uri);
  if (file.size < 0) return fmt::format("the size of {} is negative", file.uri);
  return {};
}

Result<void> validate_files(const Skill& skill, const std::vector<SkillFile>& files) {
  if (files.size() > max_files) return invalid_entry(skill, fmt::format("it has more than {} files", max_files));
  std::set<std::string_view> seen;
  std::int64_t bytes = 0;
  for (const auto& file : files) {
    if (const auto problem = problem_of(skill, file); !problem.empty()) return invalid_entry(skill, problem);
    if (!seen.insert(file.uri).second) return invalid_entry(skill, fmt::format("it lists {} twice", file.uri));
    if (file.size > max_bytes - bytes) return invalid_entry(skill, fmt::format("it has more than {} bytes", max_bytes));
    bytes += file.size;
  }
  if (!seen.contains(skill.uri)) return invalid_entry(skill, "its SKILL.md is not among its files");
  return {};
}

}  // namespace

std::string Skill::name() const {
  return text_member(frontmatter, "name");
}

std::string Skill::description() const {
  return text_member(frontmatter, "description");
}

std::string_view Skill::directory() const {
  const std::string_view whole = uri;
  return whole.ends_with(manifest_suffix) ? whole.substr(0, whole.size() - manifest_suffix.size()) : whole;
}

const SkillFile* Skill::find(std::string_view file_uri) const {
  const auto* all = files();
  if (all == nullptr) return nullptr;
  const auto found = std::ranges::find(*all, file_uri, &SkillFile::uri);
  return found == all->end() ? nullptr : &*found;
}

bool is_skill_name(std::string_view name) {
  constexpr std::size_t longest = 64;
  return !name.empty() && name.size() <= longest && !name.starts_with('-') && !name.ends_with('-') &&
         !name.contains("--") &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos;
}

Result<void> check_entry(const Skill& skill) {
  if (!skill.uri.ends_with(manifest_suffix)) return invalid_entry(skill, "its URI does not end in /SKILL.md");
  const auto name = skill.name();
  if (!is_skill_name(name)) return invalid_entry(skill, fmt::format("'{}' is not a valid name", name));
  if (skill.description().empty()) return invalid_entry(skill, "it has no description");
  const auto directory = skill.directory();
  if (directory.substr(directory.rfind('/') + 1) != name) {
    return invalid_entry(skill, fmt::format("its name '{}' is not the last part of its directory", name));
  }
  if (const auto* files = skill.files()) return validate_files(skill, *files);
  if (std::get<std::string>(skill.resources) != "dynamic") {
    return invalid_entry(skill, "its resources are neither a list nor 'dynamic'");
  }
  return {};
}

}  // namespace fairlead::skills
