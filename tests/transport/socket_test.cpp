#include <fairlead/transport/socket.hpp>

#include <boost/asio/post.hpp>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/messages.hpp"
#include "support/test_loop.hpp"

namespace fairlead::transport::socket_test {
namespace {

using namespace test;
using Connected = Result<std::unique_ptr<Transport>>;

class SocketTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_NE(::mkdtemp(folder_.data()), nullptr); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void exchange_messages(Connected client, SocketListener& listener) {
    ASSERT_TRUE(client) << client.error().message;
    auto server = loop_.run(listener.accept());
    ASSERT_TRUE(server) << server.error().message;
    ASSERT_TRUE(loop_.run((*client)->send({request(1)})));
    EXPECT_EQ(std::get<jsonrpc::Message>(loop_.run((*server)->receive()).value()), request(1));
    ASSERT_TRUE(loop_.run((*server)->send({request(2)})));
    EXPECT_EQ(std::get<jsonrpc::Message>(loop_.run((*client)->receive()).value()), request(2));
    (*server)->close();
    EXPECT_EQ(loop_.run((*client)->receive()).error().kind, ErrorKind::closed);
  }

  TestLoop loop_;
  std::string folder_ = (std::filesystem::temp_directory_path() / "fairlead_XXXXXX").string();
  std::string path_() const { return folder_ + "/socket"; }
};

TEST_F(SocketTest, S2_45_UnixSocketIsPrivate) {
  auto listener = SocketListener::on_unix(loop_.loop(), path_()).value();
  struct stat about = {};
  ASSERT_EQ(::stat(path_().c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0600u);
  exchange_messages(loop_.run(connect_unix(loop_.loop(), path_())), *listener);
  listener.reset();
  EXPECT_FALSE(std::filesystem::exists(path_()));
}

TEST_F(SocketTest, S2_45_ConnectsByTcpAddressAndName) {
  auto listener = SocketListener::on_tcp(loop_.loop(), 0).value();
  ASSERT_NE(listener->port(), 0);
  exchange_messages(loop_.run(connect_tcp(loop_.loop(), "127.0.0.1", listener->port())), *listener);
  exchange_messages(loop_.run(connect_tcp(loop_.loop(), "localhost", listener->port())), *listener);
}

TEST_F(SocketTest, ReplacesOnlyAStaleSocketFile) {
  auto listener = SocketListener::on_unix(loop_.loop(), path_()).value();
  EXPECT_FALSE(SocketListener::on_unix(loop_.loop(), path_()));
  std::filesystem::create_hard_link(path_(), folder_ + "/kept");
  listener.reset();
  std::filesystem::rename(folder_ + "/kept", path_());
  EXPECT_TRUE(SocketListener::on_unix(loop_.loop(), path_()));
  std::ofstream(folder_ + "/file") << "precious";
  EXPECT_FALSE(SocketListener::on_unix(loop_.loop(), folder_ + "/file"));
  EXPECT_TRUE(std::filesystem::exists(folder_ + "/file"));
}

TEST_F(SocketTest, ErrorNamesTheAddress) {
  const auto missing = loop_.run(connect_unix(loop_.loop(), path_()));
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find(path_()), std::string::npos);
  auto listener = SocketListener::on_tcp(loop_.loop(), 0).value();
  const auto port = listener->port();
  listener.reset();
  const auto refused = loop_.run(connect_tcp(loop_.loop(), "127.0.0.1", port));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("127.0.0.1:" + std::to_string(port)), std::string::npos);
  EXPECT_FALSE(loop_.run(connect_tcp(loop_.loop(), "no such host.invalid", 1)));
  EXPECT_FALSE(SocketListener::on_tcp(loop_.loop(), 0, "localhost"));
  EXPECT_FALSE(loop_.run(connect_unix(loop_.loop(), std::string(500, 'x'))));
}

TEST_F(SocketTest, CloseEndsAPendingAccept) {
  auto listener = SocketListener::on_unix(loop_.loop(), path_()).value();
  const auto accepting = loop_.start(listener->accept());
  loop_.poll();
  listener->close();
  EXPECT_EQ(loop_.finish(accepting).error().kind, ErrorKind::closed);
}

Task<bool> accept_all(SocketListener& listener, std::size_t count, std::vector<std::unique_ptr<Transport>>& accepted) {
  while (accepted.size() < count) accepted.push_back((co_await listener.accept()).value());
  co_return true;
}

TEST_F(SocketTest, Finding_S3_ManyConnectionsDoNotStarveOtherTasks) {
  constexpr std::size_t crowd = 150;
  auto listener = SocketListener::on_unix(loop_.loop(), path_()).value();
  std::vector<std::unique_ptr<Transport>> clients, accepted;
  for (std::size_t i = 0; i < crowd; ++i) {
    clients.push_back(loop_.run(connect_unix(loop_.loop(), path_())).value());
  }
  std::optional<std::size_t> seen;
  const auto accepting = loop_.start(accept_all(*listener, crowd, accepted));
  boost::asio::post(loop_.context(), [&] { seen = accepted.size(); });
  loop_.run_until([&] { return seen.has_value(); });
  EXPECT_LT(*seen, crowd);
  EXPECT_TRUE(loop_.finish(accepting));
}

}  // namespace
}  // namespace fairlead::transport::socket_test
