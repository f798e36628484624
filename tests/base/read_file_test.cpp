#include "base/read_file.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace fairlead::read_file_test {
namespace {

struct ReadFileTest : testing::Test {
  ReadFileTest() { std::filesystem::create_directory(folder); }
  ~ReadFileTest() override { std::filesystem::remove_all(folder); }

  std::filesystem::path write(const std::string& text) {
    const auto path = folder / "file";
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("fairlead-read-file-" + std::to_string(::getpid()));
};

TEST_F(ReadFileTest, ReturnsTheBytesUnchanged) {
  const std::string text("a\r\n\0b", 5);
  EXPECT_EQ(read_file(write(text)).value(), text);
}

TEST_F(ReadFileTest, ReturnsAnEmptyFile) {
  EXPECT_EQ(read_file(write("")).value(), "");
}

TEST_F(ReadFileTest, ReadsFilesThatAreLongerThanItsBuffer) {
  const std::string text(100'000, 'x');
  EXPECT_EQ(read_file(write(text)).value(), text);
}

TEST_F(ReadFileTest, NamesTheReasonOfAFailure) {
  EXPECT_EQ(read_file(folder / "missing").error().message, "cannot be read: No such file or directory");
  EXPECT_EQ(read_file(folder).error().message, "cannot be read: Is a directory");
}

}  // namespace
}  // namespace fairlead::read_file_test
