#include <fairlead/json/scan.hpp>
#include <fairlead/jsonrpc/message.hpp>
#include <fairlead/jsonrpc/read.hpp>
#include <gtest/gtest.h>

namespace fairlead::jsonrpc::write_test {
namespace {

Message reread(const Message& message) {
  auto incoming = read(write(message));
  if (!incoming) ADD_FAILURE() << write(message);
  return incoming ? std::get<Message>(std::move(*incoming)) : Message{};
}

TEST(Write, WritesEveryKindOfMessage_S0_08) {
  EXPECT_EQ(write(Request{.id = 1, .method = "m"}), R"({"jsonrpc":"2.0","id":1,"method":"m"})");
  EXPECT_EQ(write(Request{.id = "a", .method = "m", .params = json::Payload::trusted("{ }")}),
            R"({"jsonrpc":"2.0","id":"a","method":"m","params":{ }})");
  EXPECT_EQ(write(Notification{.method = "n\"", .params = json::Payload::trusted("[1]")}),
            R"({"jsonrpc":"2.0","method":"n\"","params":[1]})");
  EXPECT_EQ(write(Response{.id = 1, .result = json::Payload::trusted("null")}),
            R"({"jsonrpc":"2.0","id":1,"result":null})");
  EXPECT_EQ(write(Response{.id = 1, .result = {}}), R"({"jsonrpc":"2.0","id":1,"result":{}})");
  EXPECT_EQ(write(ErrorResponse{.id = 1, .error = {.code = -32603, .message = "Internal error"}}),
            R"({"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error"}})");
  EXPECT_EQ(write(ErrorResponse{.id = {}, .error = {.code = 1, .message = "", .data = json::Payload()}}),
            R"({"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"","data":null}})");
}

TEST(Write, AppendsToExistingText) {
  std::string out = "data: ";
  write(out, Notification{.method = "m"});
  EXPECT_EQ(out, R"(data: {"jsonrpc":"2.0","method":"m"})");
}

TEST(Write, WritesOneLineForEveryPayload_S2_05_S3_02) {
  const auto payload = json::Payload::trusted("{\r\n \"a\"\n:\r[1,\n\n2] }");
  const std::string extra = ",\"x\":\n[\r]";
  ErrorResponse error{.id = 1, .error = {.code = 1, .message = "a\nb"}, .extra = extra};
  error.error.data = payload;
  const Message messages[] = {
      Request{.id = "a\nb", .method = "m\r\n", .params = payload, .param_spans = {}, .extra = extra},
      Notification{.method = "m\n", .params = payload, .param_spans = {}, .extra = extra},
      Response{.id = 1, .result = payload, .extra = extra}, error};
  for (const auto& message : messages) {
    const auto line = write(message);
    EXPECT_EQ(line.find_first_of("\r\n"), std::string::npos) << line;
    EXPECT_FALSE(json::scan(line)) << line;
  }
}

TEST(Write, KeepsEscapedNewlines_S4_14) {
  const auto response = Response{.id = 1, .result = json::Payload::trusted(R"({"text":"a\nb\u000a"})")};
  EXPECT_EQ(write(response), R"({"jsonrpc":"2.0","id":1,"result":{"text":"a\nb\u000a"}})");
}

TEST(Write, RoundTripsEveryMessage) {
  const auto payload = json::Payload::trusted(R"({"a": [1.50, "\u0041"]})");
  const Message messages[] = {
      Request{.id = -1, .method = "é\"\\", .params = payload, .param_spans = {}, .extra = R"(,"x":1)"},
      Request{.id = Id::from_number("1e400"), .method = ""},
      Notification{.method = "m", .params = payload},
      Response{.id = "request-001", .result = payload, .extra = R"(,"\u0078":{})"},
      ErrorResponse{.id = {}, .error = {.code = -32700, .message = "Parse error"}},
      ErrorResponse{.id = 1, .error = {.code = INT64_MIN, .message = "\n", .data = json::Payload::trusted("null")}}};
  for (const auto& message : messages) EXPECT_EQ(reread(message), message) << write(message);
}

TEST(Write, EchoesTheIdOfTheRequestInItsType_S0_10_S4_12) {
  for (const char* id :
       {R"("request-001")", "1", "\"1\"", "0", "-5", "1.5", "9223372036854775808", R"("")", R"("\"é\n")"}) {
    auto incoming = read(std::string(R"({"jsonrpc":"2.0","method":"m","id":)") + id + "}");
    ASSERT_TRUE(incoming) << id;
    const auto& request = std::get<Request>(std::get<Message>(*incoming));
    EXPECT_EQ(write(Response{.id = request.id, .result = {}}),
              std::string(R"({"jsonrpc":"2.0","id":)") + id + R"(,"result":{}})");
  }
}

}  // namespace
}  // namespace fairlead::jsonrpc::write_test
