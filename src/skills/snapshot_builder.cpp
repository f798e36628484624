#include "skills/snapshot_builder.hpp"

#include <algorithm>
#include <fairlead/base/utf8.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <utility>

#include "skills/frontmatter.hpp"
#include "skills/mime_type.hpp"
#include "skills/skill_uri.hpp"

namespace fairlead::skills {
namespace {

constexpr std::size_t max_skills = 1'000;

bool has_valid_name(const Skill& skill) {
  const auto name = skill.name();
  return is_skill_name(name) && skill.directory().ends_with("/" + name);
}

}  // namespace

void SnapshotBuilder::report(std::string_view where, std::size_t line, std::string_view what) {
  mistakes_ += mistakes_.empty() ? "" : "\n";
  mistakes_ += line == 0 ? fmt::format("{}: {}", where, what) : fmt::format("{}:{}: {}", where, line, what);
}

protocol::Resource SnapshotBuilder::add_file(const std::string& uri, std::string where, std::string bytes) {
  const auto name = std::filesystem::path(where).filename().string();
  StoredFile file;
  file.is_text = is_utf8(bytes) && !bytes.contains('\0');
  file.mime_type = mime_type_of(name, file.is_text);
  file.entry = {.uri = uri, .digest = digest_of(bytes), .size = static_cast<std::int64_t>(bytes.size())};
  file.bytes = std::move(bytes);
  protocol::Resource listed{.uri = uri, .name = name, .mimeType = file.mime_type, .size = file.entry.size};
  places_.emplace(uri, std::move(where));
  result_.files.emplace(uri, std::move(file));
  return listed;
}

void SnapshotBuilder::add_directory(std::string uri, std::vector<protocol::Resource> children) {
  std::ranges::sort(children, {}, &protocol::Resource::uri);
  result_.directories.emplace(std::move(uri), std::move(children));
}

protocol::Resource SnapshotBuilder::directory_entry(std::string uri, std::string name) {
  return {.uri = std::move(uri), .name = std::move(name), .mimeType = "inode/directory"};
}

Result<std::shared_ptr<const Snapshot>> SnapshotBuilder::finish(std::string_view where) && {
  for (const auto& [uri, file] : result_.files) {
    if (uri.ends_with("/SKILL.md")) add_skill(uri, file);
  }
  if (result_.skills.size() > max_skills) report(where, 0, fmt::format("has more than {} skills", max_skills));
  if (!mistakes_.empty()) return fail(ErrorKind::invalid, std::move(mistakes_));
  return std::make_shared<const Snapshot>(std::move(result_));
}

void SnapshotBuilder::add_skill(const std::string& uri, const StoredFile& manifest) {
  const auto& where = places_.at(uri);
  auto read = read_frontmatter(manifest.bytes);
  if (!read) return report(where, read.error().line, read.error().reason);
  if (!manifest.is_text) return report(where, 1, "is not UTF-8 text");
  Skill skill{.uri = uri, .frontmatter = std::move(read->json)};
  if (const auto line = read->key_lines.find("name"); !has_valid_name(skill)) {
    return report(
        where, line == read->key_lines.end() ? 1 : line->second,
        fmt::format("the name '{}' must be that of its folder: 1 to 64 of a-z, 0-9 and single hyphens", skill.name()));
  }
  if (skill.description().empty()) return report(where, 1, "the front matter needs a description");
  add_files(skill);
  if (const auto checked = check_entry(skill); !checked) return report(where, 0, checked.error().message);
  const bool listed = !options_.listed || options_.listed(skill);
  auto json = json::encode(skill);
  result_.skills.emplace(uri, StoredSkill{.skill = std::move(skill), .json = std::move(json), .listed = listed});
}

/// All files below the skill's directory, also those of nested skills.
void SnapshotBuilder::add_files(Skill& skill) const {
  const auto below = std::string(skill.directory()) + "/";
  auto& files = skill.resources.emplace<std::vector<SkillFile>>();
  for (auto at = result_.files.lower_bound(below); at != result_.files.end() && at->first.starts_with(below); ++at) {
    files.push_back(at->second.entry);
  }
}

}  // namespace fairlead::skills
