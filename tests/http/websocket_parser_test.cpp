#include "http/websocket_parser.hpp"

#include <fairlead/http/websocket.hpp>
#include <gtest/gtest.h>
#include <vector>

namespace fairlead::http::websocket_parser_test {
namespace {

constexpr MaskKey key{'\x37', '\xfa', '\x21', '\x3d'};

std::string frame(Opcode opcode, std::string_view payload, bool final = true, bool masked = false) {
  std::string out;
  write_frame(out, opcode, payload, masked ? std::optional(key) : std::nullopt);
  if (!final) out[0] = static_cast<char>(out[0] & 0x7F);
  return out;
}

struct Outcome {
  std::vector<WebSocketEvent> inputs = {};
  std::int64_t code = 0;
  bool operator==(const Outcome&) const = default;
};

Outcome read(std::string_view stream, std::size_t piece = std::string_view::npos, bool is_client = true,
             std::size_t max_message = 100'000) {
  WebSocketParser reader(is_client, max_message);
  Outcome outcome;
  while (!stream.empty()) {
    auto bytes = stream.substr(0, piece);
    stream.remove_prefix(bytes.size());
    while (true) {
      auto input = reader.read(bytes);
      if (!input) {
        outcome.code = input.error().code;
        return outcome;
      }
      if (!*input) break;
      outcome.inputs.push_back(std::move(**input));
    }
  }
  return outcome;
}

std::vector<std::string> texts(std::string_view stream) {
  std::vector<std::string> all;
  for (const auto& input : read(stream).inputs) all.push_back(input.payload);
  return all;
}

std::string raw(std::initializer_list<int> bytes) {
  std::string out;
  for (const int byte : bytes) out += static_cast<char>(byte);
  return out;
}

TEST(WebSocketParser, ReadsTheExamplesOfTheRfc) {
  EXPECT_EQ(texts("\x81\x05Hello"), std::vector<std::string>{"Hello"});
  EXPECT_EQ(texts("\x01\x03Hel"
                  "\x80\x02lo"),
            std::vector<std::string>{"Hello"});
  const auto masked = raw({0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58});
  EXPECT_EQ(read(masked, 100, false).inputs, (std::vector<WebSocketEvent>{{Opcode::text, "Hello"}}));
}

TEST(WebSocketParser, ReadsEveryFormOfLength) {
  for (const std::size_t size : {0U, 1U, 125U, 126U, 127U, 65535U, 65536U, 70000U}) {
    const std::string text(size, 'x');
    EXPECT_EQ(texts(frame(Opcode::text, text)), std::vector<std::string>{text}) << size;
  }
}

TEST(WebSocketParser, ParsesBytesSplitAnywhere) {
  const auto stream = frame(Opcode::text, "Hel", false, true) + frame(Opcode::ping, "are you there", true, true) +
                      frame(Opcode::continuation, "lo", true, true) + frame(Opcode::text, "", true, true) +
                      frame(Opcode::text, std::string(300, 'y'), true, true) + frame(Opcode::close, "", true, true);
  const auto whole = read(stream, stream.size(), false);
  EXPECT_EQ(whole.inputs.size(), 5U);
  for (std::size_t piece = 1; piece < 20; ++piece) EXPECT_EQ(read(stream, piece, false), whole) << piece;
}

TEST(WebSocketParser, DeliversControlFramesBetweenFragments) {
  const auto outcome = read(frame(Opcode::text, "a", false) + frame(Opcode::ping, "p") +
                            frame(Opcode::continuation, "", false) + frame(Opcode::continuation, "b"));
  EXPECT_EQ(outcome.inputs, (std::vector<WebSocketEvent>{{Opcode::ping, "p"}, {Opcode::text, "ab"}}));
}

TEST(WebSocketParser, RejectsWrongMasking) {
  EXPECT_EQ(read(frame(Opcode::text, "a", true, true), 100, true).code, close_code::protocol_error);
  EXPECT_EQ(read(frame(Opcode::text, "a", true, false), 100, false).code, close_code::protocol_error);
}

TEST(WebSocketParser, RejectsReservedBits) {
  for (const int bit : {0x40, 0x20, 0x10}) {
    EXPECT_EQ(read(raw({0x81 | bit, 0})).code, close_code::protocol_error) << bit;
    EXPECT_EQ(read(raw({0x89 | bit, 0})).code, close_code::protocol_error) << bit;
  }
}

TEST(WebSocketParser, RejectsUnknownOpcodes) {
  for (const int opcode : {3, 4, 5, 6, 7, 11, 12, 13, 14, 15}) {
    EXPECT_EQ(read(raw({0x80 | opcode, 0})).code, close_code::protocol_error) << opcode;
  }
}

TEST(WebSocketParser, RejectsLongOrFragmentedControlFrames) {
  for (const auto opcode : {Opcode::close, Opcode::ping, Opcode::pong}) {
    EXPECT_EQ(read(frame(opcode, std::string(126, 'x'))).code, close_code::protocol_error);
    EXPECT_EQ(read(frame(opcode, "x", false)).code, close_code::protocol_error);
    EXPECT_EQ(read(frame(opcode, std::string(125, 'x'))).code, 0);
  }
}

TEST(WebSocketParser, RejectsNonMinimalLengths) {
  EXPECT_EQ(read(raw({0x81, 126, 0, 125})).code, close_code::protocol_error);
  EXPECT_EQ(read(raw({0x81, 127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF})).code, close_code::protocol_error);
  EXPECT_EQ(read(raw({0x81, 127, 0x80, 0, 0, 0, 0, 0, 0, 0})).code, close_code::protocol_error);
}

TEST(WebSocketParser, RejectsFragmentsOutOfOrder) {
  EXPECT_EQ(read(frame(Opcode::continuation, "x")).code, close_code::protocol_error);
  EXPECT_EQ(read(frame(Opcode::text, "a", false) + frame(Opcode::text, "b")).code, close_code::protocol_error);
  EXPECT_EQ(read(frame(Opcode::text, "a") + frame(Opcode::continuation, "b")).code, close_code::protocol_error);
}

TEST(WebSocketParser, RejectsBinaryMessages) {
  EXPECT_EQ(read(frame(Opcode::binary, "x")).code, close_code::unsupported_data);
}

TEST(WebSocketParser, RejectsTooLargeMessagesByTheirLength) {
  EXPECT_EQ(read(frame(Opcode::text, "12345678"), 100, true, 8).code, 0);
  EXPECT_EQ(read(raw({0x81, 9}), 100, true, 8).code, close_code::too_big);
  EXPECT_EQ(read(raw({0x81, 127, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}), 100, true, 8).code,
            close_code::too_big);
}

TEST(WebSocketParser, CountsAllFragmentsAgainstTheLimit) {
  const auto stream = frame(Opcode::text, "12345", false) + frame(Opcode::continuation, "6789");
  EXPECT_EQ(read(stream, 100, true, 8).code, close_code::too_big);
}

TEST(WebSocketParser, RejectsInvalidUtf8) {
  EXPECT_EQ(read(frame(Opcode::text, "\xC0\xAF")).code, close_code::bad_text);
  EXPECT_EQ(read(frame(Opcode::text, "\xED\xA0\x80")).code, close_code::bad_text);
  EXPECT_EQ(read(frame(Opcode::text, "\xE2\x82", false) + frame(Opcode::continuation, "x")).code, close_code::bad_text);
}

TEST(WebSocketParser, JoinsACharacterSplitBetweenFragments) {
  EXPECT_EQ(texts(frame(Opcode::text, "\xE2\x82", false) + frame(Opcode::continuation, "\xAC")),
            std::vector<std::string>{"€"});
}

TEST(CloseFrame, AcceptsOnlyAllowedCodes) {
  const auto code_of = [](int code) { return read_close(raw({code >> 8, code & 0xFF})); };
  for (const int good : {1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1014, 3000, 3999, 4000, 4999}) {
    ASSERT_TRUE(code_of(good)) << good;
    EXPECT_EQ(code_of(good)->code, good);
  }
  for (const int bad : {0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535}) {
    ASSERT_FALSE(code_of(bad)) << bad;
    EXPECT_EQ(code_of(bad).error().code, close_code::protocol_error);
  }
}

TEST(CloseFrame, RejectsHalfACode) {
  EXPECT_EQ(read_close("")->code, 1005);
  EXPECT_EQ(read_close("\x03").error().code, close_code::protocol_error);
}

TEST(CloseFrame, RejectsInvalidUtf8Reason) {
  EXPECT_EQ(read_close("\x03\xE8\xFF").error().code, close_code::bad_text);
}

TEST(CloseFrame, TruncatesLongReasonAtCharacterBoundary) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "€";
  const auto payload = close_payload({.code = 1011, .text = text});
  EXPECT_LE(payload.size(), 125U);
  ASSERT_TRUE(read_close(payload));
  EXPECT_EQ(read_close(payload)->text.size(), 123U);
}

TEST(CloseFrame, NeverSendsCode1005) {
  EXPECT_EQ(close_payload({.code = 1005}), "");
  EXPECT_EQ(close_payload({.code = 1006, .text = "x"}), "");
}

}  // namespace
}  // namespace fairlead::http::websocket_parser_test
