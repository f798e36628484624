#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "skills/snapshot.hpp"

namespace fairlead::skills {

/// Collects the files of skills into a snapshot, and the mistakes in them. `where` names a file in messages.
class SnapshotBuilder {
 public:
  explicit SnapshotBuilder(const SkillsOptions& options) : options_(options) {}

  /// `line` is 0 if the mistake is not in a line.
  void report(std::string_view where, std::size_t line, std::string_view what);

  /// Returns the entry for the listing of the directory.
  protocol::Resource add_file(const std::string& uri, std::string where, std::string bytes);
  void add_directory(std::string uri, std::vector<protocol::Resource> children);
  static protocol::Resource directory_entry(std::string uri, std::string name);

  /// The error has one line for each mistake. `where` names the whole.
  Result<std::shared_ptr<const Snapshot>> finish(std::string_view where) &&;

 private:
  void add_skill(const std::string& uri, const StoredFile& manifest);
  void add_files(Skill& skill) const;

  const SkillsOptions& options_;
  Snapshot result_;
  std::map<std::string, std::string> places_;  // By URI.
  std::string mistakes_;
};

}  // namespace fairlead::skills
