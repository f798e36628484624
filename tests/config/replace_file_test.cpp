#include "config/replace_file.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "base/read_file.hpp"

namespace fairlead::config::replace_file_test {
namespace {

namespace fs = std::filesystem;

class ReplacedFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "fairlead_replace.XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder = pattern;
  }
  void TearDown() override { fs::remove_all(folder); }

  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }

  fs::path folder;
};

TEST_F(ReplacedFile, HasTheNewTextAndTheOldPermissions) {
  const auto file = folder / "a.json";
  std::ofstream(file) << "old";
  fs::permissions(file, fs::perms(0640));

  ASSERT_TRUE(replace_file(file, "new"));

  EXPECT_EQ(read_file(file), "new");
  EXPECT_EQ(fs::status(file).permissions(), fs::perms(0640));
  EXPECT_EQ(files(), 1U);
}

TEST_F(ReplacedFile, IsForItsOwnerIfItIsNew) {
  ASSERT_TRUE(replace_file(folder / "a.json", "new"));
  EXPECT_EQ(fs::status(folder / "a.json").permissions(), fs::perms(0600));
}

TEST_F(ReplacedFile, StaysALink) {
  std::ofstream(folder / "real.json") << "old";
  fs::create_symlink("real.json", folder / "link.json");
  ASSERT_TRUE(replace_file(folder / "link.json", "new"));
  EXPECT_TRUE(fs::is_symlink(folder / "link.json"));
  EXPECT_EQ(read_file(folder / "real.json"), "new");
}

TEST_F(ReplacedFile, SaysWhyItCannotBeWritten) {
  const auto result = replace_file((folder / "nowhere/a.json").string(), "new");
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("No such file or directory"), std::string::npos);
}

}  // namespace
}  // namespace fairlead::config::replace_file_test
