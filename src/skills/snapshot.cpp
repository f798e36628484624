#include "skills/snapshot.hpp"

#include <algorithm>
#include <fairlead/base/base64.hpp>
#include <fairlead/base/utf8.hpp>
#include <fmt/format.h>
#include <utility>

#include "base/read_file.hpp"
#include "skills/frontmatter.hpp"
#include "skills/mime_type.hpp"
#include "skills/skill_uri.hpp"

namespace fairlead::skills {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view manifest_name = "SKILL.md";
constexpr std::size_t max_skills = 1'000;
constexpr std::size_t max_folder_depth = 16;

bool is_inside(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

/// Reads the folder into a snapshot and collects the mistakes.
class FolderReader {
 public:
  FolderReader(const fs::path& folder, const SkillsOptions& options) : shown_(folder), options_(options) {}

  Result<std::shared_ptr<const Snapshot>> read() {
    std::error_code failed;
    root_ = fs::canonical(shown_, failed);
    if (failed || !fs::is_directory(root_, failed)) {
      return fail(ErrorKind::invalid, fmt::format("{}: is not a directory that can be read", shown_.string()));
    }
    const bool is_skill = has_manifest(root_);
    walk(root_, is_skill ? skill_uri_prefix + encode_segment(root_.filename().string()) : "", is_skill, 0);
    for (const auto& [uri, file] : result_.files) {
      if (uri.ends_with("/SKILL.md")) add_skill(uri, file);
    }
    if (result_.skills.size() > max_skills) report(root_, 0, fmt::format("has more than {} skills", max_skills));
    if (!mistakes_.empty()) return fail(ErrorKind::invalid, mistakes_);
    return std::make_shared<const Snapshot>(std::move(result_));
  }

 private:
  static bool has_manifest(const fs::path& folder) {
    std::error_code failed;
    return fs::is_regular_file(folder / manifest_name, failed);
  }

  void report(const fs::path& path, std::size_t line, std::string_view what) {
    const auto where = (shown_ / path.lexically_relative(root_)).lexically_normal().string();
    mistakes_ += mistakes_.empty() ? "" : "\n";
    mistakes_ += line == 0 ? fmt::format("{}: {}", where, what) : fmt::format("{}:{}: {}", where, line, what);
  }

  std::vector<fs::path> children_of(const fs::path& folder) {
    std::vector<fs::path> children;
    std::error_code failed;
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
      if (!at->path().filename().string().starts_with('.')) children.push_back(at->path());
    }
    if (failed) report(folder, 0, "cannot be read: " + failed.message());
    std::ranges::sort(children);
    return children;
  }

  /// `uri` is that of the folder; empty for the root if that is not a skill.
  void walk(const fs::path& folder, const std::string& uri, bool in_skill, std::size_t depth) {
    if (depth > max_folder_depth) return report(folder, 0, "is nested too deep");
    std::vector<protocol::Resource> listing;
    for (const auto& child : children_of(folder)) {
      const auto name = child.filename().string();
      const auto child_uri = (uri.empty() ? skill_uri_prefix : uri + "/") + encode_segment(name);
      if (!is_allowed(child)) continue;
      std::error_code failed;
      if (fs::is_directory(child, failed)) {
        walk(child, child_uri, in_skill || has_manifest(child), depth + 1);
        listing.push_back({.uri = child_uri, .name = name, .mimeType = "inode/directory"});
      } else if (in_skill && add_file(child, child_uri)) {
        const auto& file = result_.files.at(child_uri);
        listing.push_back({.uri = child_uri, .name = name, .mimeType = file.mime_type, .size = file.entry.size});
      }
    }
    if (!in_skill) return;
    std::ranges::sort(listing, {}, &protocol::Resource::uri);
    result_.directories.emplace(uri, std::move(listing));
  }

  /// Reports links that leave the folder and links to directories, which could form a cycle.
  bool is_allowed(const fs::path& path) {
    std::error_code failed;
    if (!fs::is_symlink(fs::symlink_status(path, failed))) return true;
    const auto target = fs::canonical(path, failed);
    if (failed) {
      report(path, 0, "is a link to a missing file");
    } else if (!is_inside(target, root_)) {
      report(path, 0, "is a link out of the folder; copy the file instead");
    } else if (fs::is_directory(target, failed)) {
      report(path, 0, "is a link to a directory; only links to files are followed");
    } else {
      return true;
    }
    return false;
  }

  bool add_file(const fs::path& path, const std::string& uri) {
    std::error_code failed;
    const bool is_regular = fs::is_regular_file(path, failed);
    const auto size = is_regular ? fs::file_size(path, failed) : 0;
    if (!is_regular || failed) {
      report(path, 0, "is not a regular file");
      return false;
    }
    if (size > static_cast<std::uintmax_t>(max_bytes)) {
      report(path, 0, fmt::format("has more than {} bytes, the limit of a whole skill", max_bytes));
      return false;
    }
    auto bytes = read_file(path);
    if (!bytes) {
      report(path, 0, bytes.error().message);
      return false;
    }
    StoredFile file;
    file.is_text = is_utf8(*bytes) && !bytes->contains('\0');
    file.mime_type = mime_type_of(path.filename().string(), file.is_text);
    file.entry = {.uri = uri, .digest = digest_of(*bytes), .size = static_cast<std::int64_t>(bytes->size())};
    file.bytes = std::move(*bytes);
    paths_.emplace(uri, path);
    result_.files.emplace(uri, std::move(file));
    return true;
  }

  void add_skill(const std::string& uri, const StoredFile& manifest) {
    const auto& path = paths_.at(uri);
    auto read = read_frontmatter(manifest.bytes);
    if (!read) return report(path, read.error().line, read.error().reason);
    if (!manifest.is_text) return report(path, 1, "is not UTF-8 text");
    Skill skill{.uri = uri, .frontmatter = std::move(read->json)};
    if (const auto line = read->key_lines.find("name"); !has_valid_name(skill)) {
      return report(path, line == read->key_lines.end() ? 1 : line->second,
                    fmt::format("the name '{}' must be that of its folder: 1 to 64 of a-z, 0-9 and single hyphens",
                                skill.name()));
    }
    if (skill.description().empty()) return report(path, 1, "the front matter needs a description");
    add_files(skill);
    if (const auto checked = check_entry(skill); !checked) return report(path, 0, checked.error().message);
    const bool listed = !options_.listed || options_.listed(skill);
    auto json = json::encode(skill);
    result_.skills.emplace(uri, StoredSkill{.skill = std::move(skill), .json = std::move(json), .listed = listed});
  }

  static bool has_valid_name(const Skill& skill) {
    const auto name = skill.name();
    return is_skill_name(name) && skill.directory().ends_with("/" + name);
  }

  /// All files below the skill's directory, also those of nested skills.
  void add_files(Skill& skill) const {
    const auto below = std::string(skill.directory()) + "/";
    auto& files = skill.resources.emplace<std::vector<SkillFile>>();
    for (auto at = result_.files.lower_bound(below); at != result_.files.end() && at->first.starts_with(below); ++at) {
      files.push_back(at->second.entry);
    }
  }

  fs::path shown_;  // As the user wrote it, for messages.
  fs::path root_;
  const SkillsOptions& options_;
  Snapshot result_;
  std::map<std::string, fs::path> paths_;  // By URI.
  std::string mistakes_;
};

}  // namespace

const StoredSkill* Snapshot::find_skill(std::string_view uri) const {
  const auto found = skills.find(uri);
  return found == skills.end() ? nullptr : &found->second;
}

const StoredFile* Snapshot::find_file(std::string_view uri) const {
  const auto found = files.find(uri);
  return found == files.end() ? nullptr : &found->second;
}

protocol::ResourceContents Snapshot::contents_of(const StoredFile& file) {
  if (file.is_text) {
    return protocol::TextResourceContents{.uri = file.entry.uri, .mimeType = file.mime_type, .text = file.bytes};
  }
  return protocol::BlobResourceContents{
      .uri = file.entry.uri, .mimeType = file.mime_type, .blob = base64_encode(file.bytes)};
}

Result<std::shared_ptr<const Snapshot>> read_snapshot(const fs::path& folder, const SkillsOptions& options) {
  return FolderReader(folder, options).read();
}

Result<std::vector<Skill>> read_skills(const fs::path& folder) {
  const SkillsOptions options;
  const auto snapshot = read_snapshot(folder, options);
  if (!snapshot) return std::unexpected(snapshot.error());
  std::vector<Skill> all;
  for (const auto& [uri, stored] : (*snapshot)->skills) all.push_back(stored.skill);
  return all;
}

}  // namespace fairlead::skills
