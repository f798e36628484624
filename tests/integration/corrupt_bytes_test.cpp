#include <fairlead/transport/framing.hpp>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "integration/sample_tools.hpp"
#include "support/bytes_server.hpp"

/// Corrupt input at any byte: the session survives, and the next valid message is answered.
namespace fairlead::test::corrupt_bytes_test {
namespace {

using transport::Framing;

std::string framed(std::string_view text, Framing framing) {
  std::string bytes;
  transport::append_frame(bytes, text, framing);
  return bytes;
}

std::string message_sequence(Framing framing) {
  return framed(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}})",
                framing) +
         framed(R"({"jsonrpc":"2.0","method":"notifications/initialized"})", framing) +
         framed(
             R"({"jsonrpc":"2.0","id":"e","method":"tools/call","params":{"name":"echo","arguments":{"text":"意"}}})",
             framing);
}

/// Variants of the messages with a corrupt byte at `at`.
std::vector<std::string> spoilt(const std::string& good, std::size_t at) {
  const auto flipped = [&](unsigned mask) {
    auto bad = good;
    bad[at] = static_cast<char>(static_cast<unsigned char>(bad[at]) ^ mask);
    return bad;
  };
  const auto inserted = [&](const char* what, std::size_t size) { return std::string(good).insert(at, what, size); };
  return {flipped(0x01),     flipped(0x20),
          flipped(0x80),     std::string(good).erase(at, 1),
          inserted("\0", 1), inserted("\n", 1),
          inserted("{", 1),  inserted("\"", 1),
          inserted("9", 1),  inserted("\xEF\xBB\xBF", 3),
          good.substr(0, at)};
}

constexpr auto next_line = R"({"jsonrpc":"2.0","id":"next","method":"ping"})";

// `between` is sent between the corrupt messages and the next message.
void expect_next_is_answered(Framing framing, const std::string& between) {
  Server app{"demo", "1.0"};
  add_sample_tools(app);
  const auto good = message_sequence(framing);
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const auto& bad : spoilt(good, at)) {
      BytesServer server(app);
      server.send(bad + between);
      server.send(framed(next_line, framing));
      ASSERT_NE(server.output().find(R"({"jsonrpc":"2.0","id":"next","result":{}})"), std::string::npos)
          << testing::PrintToString(bad) << "\n"
          << server.output();
      ASSERT_FALSE(server.over());
      ASSERT_TRUE(server.disconnect());
    }
  }
}

TEST(CorruptBytes, NextLineIsAnsweredAfterAnyBadByte) {
  expect_next_is_answered(Framing::line, "\n");
}

TEST(CorruptBytes, NextContentLengthMessageIsAnsweredAfterAnyBadByte) {
  expect_next_is_answered(Framing::content_length, "\n");
}

// Content-Length messages have no newline between them: one message after a corrupt one may be lost, not two.
TEST(CorruptBytes, LosesAtMostOneContentLengthMessage) {
  const auto one = framed(R"({"jsonrpc":"2.0","id":"one","method":"ping"})", Framing::content_length);
  expect_next_is_answered(Framing::content_length, one);
}

}  // namespace
}  // namespace fairlead::test::corrupt_bytes_test
