#pragma once

#include <filesystem>
#include <fstream>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp
#include <string>

namespace fairlead::skills::test {

inline std::string skill_md(const std::string& name, const std::string& more = "") {
  return "---\nname: " + name + "\ndescription: About " + name + "\n" + more + "---\nHow to.\n";
}

/// A temporary folder; removed at the end.
class SkillsFolder {
 public:
  SkillsFolder() {
    auto pattern = (std::filesystem::temp_directory_path() / "fairlead-skills-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  SkillsFolder(const SkillsFolder&) = delete;
  SkillsFolder& operator=(const SkillsFolder&) = delete;
  ~SkillsFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }

  void write(const std::string& file, const std::string& text) const {
    std::filesystem::create_directories((path_ / file).parent_path());
    std::ofstream(path_ / file, std::ios::binary) << text;
  }
  void remove(const std::string& file) const { std::filesystem::remove_all(path_ / file); }

 private:
  std::filesystem::path path_;
};

}  // namespace fairlead::skills::test
