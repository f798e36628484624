#include <fairlead/jsonrpc/read.hpp>
#include <gtest/gtest.h>

/// The four message shapes of the specification, read and written again.
namespace fairlead::jsonrpc::message_shapes_test {
namespace {

template <class Shape>
Shape read_as(const std::string& text) {
  auto incoming = read(text);
  EXPECT_TRUE(incoming) << text;
  auto message = std::get<Message>(std::move(*incoming));
  EXPECT_EQ(write(message), text);
  return std::get<Shape>(std::move(message));
}

TEST(MessageShapes, S3_01_ARequestHasAnIdAMethodAndParams) {
  const auto request =
      read_as<Request>(R"({"jsonrpc":"2.0","id":123,"method":"method_name","params":{"param1":"値1"}})");
  EXPECT_EQ(request.id, Id(123));
  EXPECT_EQ(request.method, "method_name");
  EXPECT_EQ(request.params.text(), R"({"param1":"値1"})");
}

TEST(MessageShapes, S3_01_AResponseHasTheIdAndAResult) {
  const auto response = read_as<Response>(R"({"jsonrpc":"2.0","id":123,"result":{"data":"response_data"}})");
  EXPECT_EQ(response.id, Id(123));
  EXPECT_EQ(response.result.text(), R"({"data":"response_data"})");
}

TEST(MessageShapes, S3_01_AnErrorHasACodeAMessageAndOptionalData) {
  const auto failed = read_as<ErrorResponse>(
      R"({"jsonrpc":"2.0","id":123,"error":{"code":-32600,"message":"Invalid Request","data":"Optional error details"}})");
  EXPECT_EQ(failed.error.code, -32600);
  EXPECT_EQ(failed.error.message, "Invalid Request");
  EXPECT_EQ(failed.error.data->text(), "\"Optional error details\"");
  const auto bare =
      read_as<ErrorResponse>(R"({"jsonrpc":"2.0","id":123,"error":{"code":-32600,"message":"Invalid Request"}})");
  EXPECT_FALSE(bare.error.data);
}

TEST(MessageShapes, S3_01_ANotificationHasNoId) {
  const auto notice =
      read_as<Notification>(R"({"jsonrpc":"2.0","method":"notification_name","params":{"param1":"value1"}})");
  EXPECT_EQ(notice.method, "notification_name");
}

TEST(MessageShapes, S3_01_RejectsInvalidUtf8AndOtherVersions) {
  EXPECT_EQ(read("{\"jsonrpc\":\"2.0\",\"method\":\"a\xff\"}").error().error.code, code::parse_error);
  EXPECT_EQ(read(R"({"jsonrpc":"1.0","method":"a"})").error().error.code, code::invalid_request);
}

}  // namespace
}  // namespace fairlead::jsonrpc::message_shapes_test
