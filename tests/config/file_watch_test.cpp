#include "config/file_watch.hpp"

#include <boost/asio/steady_timer.hpp>
#include <cstdlib>
#include <fairlead/base/asio_task.hpp>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "support/test_loop.hpp"

namespace fairlead::config::file_watch_test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class FileWatchTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "fairlead_watch.XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder = pattern;
  }
  void TearDown() override { fs::remove_all(folder); }

  static void write(const fs::path& file, std::string_view text) { std::ofstream(file) << text; }

  std::unique_ptr<FileWatch> watch(const fs::path& file) {
    return std::move(FileWatch::open(loop.loop(), {file.string()}, 20ms).value());
  }

  /// Returns whether `change` is reported.
  template <class Change>
  bool reports(FileWatch& watched, Change change) {
    auto next = loop.start(watched.next());
    loop.poll();
    change();
    return loop.finish(next).has_value();
  }

  /// Runs the loop for longer than the debounce time.
  void wait_a_while() {
    boost::asio::steady_timer timer(loop.context(), 100ms);
    loop.run([](boost::asio::steady_timer& until) -> Task<bool> {
      co_await until.async_wait(use_task);
      co_return true;
    }(timer));
  }

  fairlead::test::TestLoop loop;
  fs::path folder;
};

TEST_F(FileWatchTest, ReportsAWrittenFile) {
  write(folder / "a.yaml", "1");
  const auto watched = watch(folder / "a.yaml");
  EXPECT_TRUE(reports(*watched, [&] { write(folder / "a.yaml", "2"); }));
}

TEST_F(FileWatchTest, ReportsAReplacedFile) {
  write(folder / "a.yaml", "1");
  const auto watched = watch(folder / "a.yaml");
  for (int time = 0; time < 3; ++time) {
    EXPECT_TRUE(reports(*watched, [&] {
      write(folder / "draft", "2");
      fs::rename(folder / "draft", folder / "a.yaml");
    }));
  }
}

TEST_F(FileWatchTest, ReportsAChangeBetweenTwoCalls) {
  const auto watched = watch(folder / "a.yaml");
  write(folder / "a.yaml", "1");
  EXPECT_TRUE(reports(*watched, [] {}));
}

TEST_F(FileWatchTest, SurvivesRemovalOfTheFile) {
  write(folder / "a.yaml", "1");
  const auto watched = watch(folder / "a.yaml");
  EXPECT_TRUE(reports(*watched, [&] { fs::remove(folder / "a.yaml"); }));
  EXPECT_TRUE(reports(*watched, [&] { write(folder / "a.yaml", "2"); }));
}

TEST_F(FileWatchTest, SurvivesRemovalOfTheFolder) {
  fs::create_directory(folder / "sub");
  write(folder / "sub/a.yaml", "1");
  const auto watched = watch(folder / "sub/a.yaml");
  EXPECT_TRUE(reports(*watched, [&] { fs::remove_all(folder / "sub"); }));
  EXPECT_TRUE(reports(*watched, [&] {
    fs::create_directory(folder / "sub");
    write(folder / "sub/a.yaml", "2");
  }));
  EXPECT_TRUE(reports(*watched, [&] { write(folder / "sub/a.yaml", "3"); }));
}

TEST_F(FileWatchTest, ReportsChangesOfALinkTarget) {
  fs::create_directory(folder / "one");
  fs::create_directory(folder / "two");
  write(folder / "one/a.yaml", "1");
  write(folder / "two/a.yaml", "2");
  fs::create_symlink("one", folder / "current");
  fs::create_symlink("current/a.yaml", folder / "a.yaml");
  const auto watched = watch(folder / "a.yaml");
  EXPECT_TRUE(reports(*watched, [&] {
    fs::create_symlink("two", folder / "next");
    fs::rename(folder / "next", folder / "current");
  }));
  EXPECT_TRUE(reports(*watched, [&] { write(folder / "two/a.yaml", "3"); }));
}

TEST_F(FileWatchTest, DebouncesWrites) {
  write(folder / "a.yaml", "1");
  const auto watched = watch(folder / "a.yaml");
  EXPECT_TRUE(reports(*watched, [&] {
    for (int time = 0; time < 50; ++time) write(folder / "a.yaml", std::to_string(time));
  }));
  auto next = loop.start(watched->next());
  wait_a_while();
  EXPECT_FALSE(next.done());
  watched->close();
  EXPECT_EQ(loop.finish(next).error().kind, ErrorKind::closed);
}

TEST_F(FileWatchTest, IgnoresOtherFiles) {
  write(folder / "a.yaml", "1");
  const auto watched = watch(folder / "a.yaml");
  auto next = loop.start(watched->next());
  loop.poll();
  write(folder / "b.yaml", "1");
  wait_a_while();
  EXPECT_FALSE(next.done());
  watched->close();
  EXPECT_FALSE(loop.finish(next));
}

}  // namespace
}  // namespace fairlead::config::file_watch_test
