#include "gateway/control/control_socket_path.hpp"

#include <cstdlib>
#include <fairlead/transport/socket.hpp>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/test_loop.hpp"
#include "transport/socket_address.hpp"

namespace fairlead::gateway::control_socket_path_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct ControlSocketPathTest : testing::Test {
  fs::path base = fs::temp_directory_path() / ("fairlead-place-" + std::to_string(::getpid()));
  std::string folder = base / "control";

  ControlSocketPathTest() { fs::create_directories(base); }
  ~ControlSocketPathTest() override { fs::remove_all(base); }

  /// A socket left by a killed process.
  static void leave_socket(const std::string& path) {
    const auto address = transport::unix_address(path);
    const auto socket = transport::open_socket(AF_UNIX);
    ASSERT_EQ(::bind(socket->get(), address->get(), address->size), 0);
  }
  static mode_t mode_of(const std::string& path) {
    struct stat about = {};
    ::lstat(path.c_str(), &about);
    return about.st_mode & 0777U;
  }
};

TEST_F(ControlSocketPathTest, IsAccessibleToItsOwnerOnly) {
  ASSERT_TRUE(prepare_control_folder(folder));
  EXPECT_EQ(mode_of(folder), 0700U);
  EXPECT_TRUE(prepare_control_folder(folder)) << "and may be there already";
}

TEST_F(ControlSocketPathTest, RefusesAFolderOpenToOthers) {
  fs::create_directory(folder);
  fs::permissions(folder, fs::perms(0755));
  const auto prepared = prepare_control_folder(folder);
  ASSERT_FALSE(prepared);
  EXPECT_THAT(prepared.error().message, HasSubstr("chmod 700"));
}

TEST_F(ControlSocketPathTest, RefusesASymbolicLink) {
  fs::create_directory(base / "elsewhere");
  fs::permissions(base / "elsewhere", fs::perms(0700));
  fs::create_symlink(base / "elsewhere", folder);
  const auto prepared = prepare_control_folder(folder);
  ASSERT_FALSE(prepared);
  EXPECT_THAT(prepared.error().message, HasSubstr("is not a folder of this user"));
}

TEST_F(ControlSocketPathTest, UsesTheNextFolderIfTheFirstFails) {
  const auto path = own_control_path({base / "none" / "control", folder});
  ASSERT_TRUE(path);
  EXPECT_EQ(*path, folder + "/" + std::to_string(::getpid()) + ".sock");
  EXPECT_FALSE(own_control_path({base / "none" / "control"}));
}

TEST_F(ControlSocketPathTest, RemovesStaleSockets) {
  ASSERT_TRUE(prepare_control_folder(folder));
  leave_socket(folder + "/4711.sock");
  EXPECT_THAT(control_sockets({folder}), IsEmpty());
  ASSERT_TRUE(prepare_control_folder(folder));
  EXPECT_FALSE(fs::exists(folder + "/4711.sock"));
}

TEST_F(ControlSocketPathTest, FindsRunningGatewaysByPid) {
  ASSERT_TRUE(prepare_control_folder(folder));
  fairlead::test::TestLoop loop;
  const auto listener = transport::SocketListener::on_unix(loop.loop(), folder + "/4711.sock");
  ASSERT_TRUE(listener) << listener.error().message;
  leave_socket(folder + "/12.sock");
  std::ofstream(folder + "/notes.txt") << "not a socket";
  const auto found = control_sockets({base / "none", folder});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].pid, 4711);
  EXPECT_EQ(found[0].path, folder + "/4711.sock");
  ASSERT_TRUE(prepare_control_folder(folder));
  EXPECT_TRUE(fs::exists(folder + "/4711.sock")) << "the living stay";
}

}  // namespace
}  // namespace fairlead::gateway::control_socket_path_test
