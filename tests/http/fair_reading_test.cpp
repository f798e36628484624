#include <boost/asio/post.hpp>
#include <gtest/gtest.h>
#include <optional>

#include "base/read_budget.hpp"
#include "http/client_connection.hpp"
#include "http/endless_stream.hpp"
#include "http/websocket_connection.hpp"
#include "support/test_loop.hpp"

/// A peer that sends continuously does not starve other tasks.
namespace fairlead::http::fair_reading_test {
namespace {

using test::EndlessStream;

// At most one read beyond the budget.
constexpr std::size_t enough_for_a_turn = 2 * ReadBudget::bytes_per_turn;

class FairReading : public testing::Test {
 protected:
  /// Bytes read before another task on the loop ran.
  template <class T>
  std::size_t bytes_read_before_yield(const EndlessStream& stream, Task<T> reading) {
    std::optional<std::size_t> seen;
    const auto pending = loop.start(std::move(reading));
    boost::asio::post(loop.context(), [&] { seen = stream.given(); });
    loop.run_until([&] { return seen.has_value(); });
    loop.finish(pending);
    return *seen;
  }

  test::TestLoop loop;
};

Task<Result<std::string>> read_body(ClientConnection& connection) {
  auto head = co_await connection.exchange("GET / HTTP/1.1\r\n\r\n", "", false);
  if (!head) co_return std::unexpected(head.error());
  while (true) {
    auto piece = co_await connection.wait_for_piece();
    if (!piece || piece->empty()) co_return piece;
  }
}

TEST_F(FairReading, Finding_S3_EndlessBodyDoesNotStarveOtherTasks) {
  auto stream =
      std::make_unique<EndlessStream>("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n", "data: {}\n\n");
  const auto& peer = *stream;
  ClientConnection connection(std::move(stream));
  EXPECT_LE(bytes_read_before_yield(peer, read_body(connection)), enough_for_a_turn);
}

TEST_F(FairReading, Finding_S3_LimitsInterimResponses) {
  auto stream = std::make_unique<EndlessStream>("", "HTTP/1.1 103 Early Hints\r\n\r\n");
  const auto& peer = *stream;
  ClientConnection connection(std::move(stream));
  auto answer = loop.run(connection.exchange("GET / HTTP/1.1\r\n\r\n", "", false));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, ErrorKind::malformed);
  EXPECT_NE(answer.error().message.find("more than 100 interim responses"), std::string::npos)
      << answer.error().message;
  EXPECT_LE(peer.given(), enough_for_a_turn);
}

TEST_F(FairReading, InterimResponsesAreCountedPerRequest) {
  std::string hints;
  for (std::size_t i = 0; i < ClientConnection::max_interim; ++i) hints += "HTTP/1.1 103 Early Hints\r\n\r\n";
  ClientConnection connection(
      std::make_unique<EndlessStream>("", hints + "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
  for (int i = 0; i < 3; ++i) {
    auto answer = loop.run(connection.exchange("GET / HTTP/1.1\r\n\r\n", "", false));
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(connection.response().status, 200);
  }
}

std::string frame(Opcode opcode, std::string_view payload) {
  std::string out;
  write_frame(out, opcode, payload, std::nullopt);
  return out;
}

TEST_F(FairReading, Finding_S3_EndlessPingsDoNotStarveOtherTasks) {
  EndlessStream peer("", frame(Opcode::ping, "0123456789"));
  const auto socket = make_websocket(loop.loop(), peer, "", true, "mcp", {});
  EXPECT_LE(bytes_read_before_yield(peer, socket->receive()), enough_for_a_turn);
}

Task<Result<std::string>> receive_all(WebSocket& socket) {
  while (true) {
    auto text = co_await socket.receive();
    if (!text) co_return text;
  }
}

TEST_F(FairReading, Finding_S3_EndlessWebSocketMessagesDoNotStarveOtherTasks) {
  EndlessStream peer("", frame(Opcode::text, std::string(1000, 'x')));
  const auto socket = make_websocket(loop.loop(), peer, "", true, "mcp", {});
  EXPECT_LE(bytes_read_before_yield(peer, receive_all(*socket)), enough_for_a_turn);
}

}  // namespace
}  // namespace fairlead::http::fair_reading_test
