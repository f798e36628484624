#include "skills/snapshot.hpp"

#include <algorithm>
#include <fairlead/base/base64.hpp>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "base/read_file.hpp"
#include "skills/skill_uri.hpp"
#include "skills/snapshot_builder.hpp"

namespace fairlead::skills {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view manifest_name = "SKILL.md";
constexpr std::size_t max_folder_depth = 16;

bool is_inside(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

/// Reads a folder.
class FolderReader {
 public:
  FolderReader(const fs::path& folder, const SkillsOptions& options) : shown_(folder), builder_(options) {}

  Result<std::shared_ptr<const Snapshot>> read() {
    std::error_code failed;
    root_ = fs::canonical(shown_, failed);
    if (failed || !fs::is_directory(root_, failed)) {
      return fail(ErrorKind::invalid, fmt::format("{}: is not a directory that can be read", shown_.string()));
    }
    const bool is_skill = has_manifest(root_);
    walk(root_, is_skill ? skill_uri_prefix + encode_segment(root_.filename().string()) : "", is_skill, 0);
    return std::move(builder_).finish(where(root_));
  }

 private:
  static bool has_manifest(const fs::path& folder) {
    std::error_code failed;
    return fs::is_regular_file(folder / manifest_name, failed);
  }

  std::string where(const fs::path& path) const {
    return (shown_ / path.lexically_relative(root_)).lexically_normal().string();
  }

  void report(const fs::path& path, std::string_view what) { builder_.report(where(path), 0, what); }

  std::vector<fs::path> children_of(const fs::path& folder) {
    std::vector<fs::path> children;
    std::error_code failed;
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
      if (!at->path().filename().string().starts_with('.')) children.push_back(at->path());
    }
    if (failed) report(folder, "cannot be read: " + failed.message());
    std::ranges::sort(children);
    return children;
  }

  /// `uri` is that of the folder; empty for the root if that is not a skill.
  void walk(const fs::path& folder, const std::string& uri, bool in_skill, std::size_t depth) {
    if (depth > max_folder_depth) return report(folder, "is nested too deep");
    std::vector<protocol::Resource> listing;
    for (const auto& child : children_of(folder)) {
      const auto name = child.filename().string();
      const auto child_uri = (uri.empty() ? skill_uri_prefix : uri + "/") + encode_segment(name);
      if (!is_allowed(child)) continue;
      std::error_code failed;
      if (fs::is_directory(child, failed)) {
        walk(child, child_uri, in_skill || has_manifest(child), depth + 1);
        listing.push_back(SnapshotBuilder::directory_entry(child_uri, name));
      } else if (in_skill) {
        if (auto entry = add_file(child, child_uri)) listing.push_back(std::move(*entry));
      }
    }
    if (in_skill) builder_.add_directory(uri, std::move(listing));
  }

  /// Reports links that leave the folder and links to directories, which could form a cycle.
  bool is_allowed(const fs::path& path) {
    std::error_code failed;
    if (!fs::is_symlink(fs::symlink_status(path, failed))) return true;
    const auto target = fs::canonical(path, failed);
    if (failed) {
      report(path, "is a link to a missing file");
    } else if (!is_inside(target, root_)) {
      report(path, "is a link out of the folder; copy the file instead");
    } else if (fs::is_directory(target, failed)) {
      report(path, "is a link to a directory; only links to files are followed");
    } else {
      return true;
    }
    return false;
  }

  std::optional<protocol::Resource> add_file(const fs::path& path, const std::string& uri) {
    std::error_code failed;
    const bool is_regular = fs::is_regular_file(path, failed);
    const auto size = is_regular ? fs::file_size(path, failed) : 0;
    if (!is_regular || failed) {
      report(path, "is not a regular file");
      return {};
    }
    if (size > static_cast<std::uintmax_t>(max_bytes)) {
      report(path, fmt::format("has more than {} bytes, the limit of a whole skill", max_bytes));
      return {};
    }
    auto bytes = read_file(path);
    if (!bytes) {
      report(path, bytes.error().message);
      return {};
    }
    return builder_.add_file(uri, where(path), std::move(*bytes));
  }

  fs::path shown_;  // As the user wrote it, for messages.
  fs::path root_;
  SnapshotBuilder builder_;
};

bool is_plain(std::string_view path) {
  for (std::size_t at = 0; at <= path.size();) {
    const auto end = std::min(path.find('/', at), path.size());
    if (end == at || path[at] == '.') return false;
    at = end + 1;
  }
  return true;
}

std::string_view parent_of(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::string name_of(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

std::string uri_of(std::string_view path) {
  const auto parent = parent_of(path);
  return (parent.empty() ? skill_uri_prefix : uri_of(parent) + "/") + encode_segment(name_of(path));
}

bool is_in_skill(const SkillFiles& files, std::string_view folder) {
  for (; !folder.empty(); folder = parent_of(folder)) {
    if (files.contains(fmt::format("{}/{}", folder, manifest_name))) return true;
  }
  return false;
}

using Listings = std::map<std::string, std::vector<protocol::Resource>>;

/// Lists the file in its folder, and each folder of the skill in its parent.
void list_in_folders(const SkillFiles& files, std::string_view path, protocol::Resource entry, Listings& listings) {
  for (auto folder = parent_of(path); is_in_skill(files, folder); folder = parent_of(folder)) {
    auto& listing = listings[uri_of(folder)];
    if (std::ranges::find(listing, entry.uri, &protocol::Resource::uri) != listing.end()) return;
    listing.push_back(std::move(entry));
    entry = SnapshotBuilder::directory_entry(uri_of(folder), name_of(folder));
  }
}

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

Result<std::shared_ptr<const Snapshot>> make_snapshot(const SkillFiles& files, const SkillsOptions& options) {
  SnapshotBuilder builder(options);
  Listings listings;
  for (const auto& [path, bytes] : files) {
    if (!is_plain(path)) {
      builder.report(path, 0, "is not a relative path of names that do not begin with a dot");
    } else if (!is_in_skill(files, parent_of(path))) {
      builder.report(path, 0, "is not in a folder that has a SKILL.md");
    } else {
      list_in_folders(files, path, builder.add_file(uri_of(path), path, bytes), listings);
    }
  }
  for (auto& [uri, listing] : listings) builder.add_directory(uri, std::move(listing));
  return std::move(builder).finish("the files");
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
