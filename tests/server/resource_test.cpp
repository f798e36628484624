#include <fairlead/server/resource.hpp>

#include "server/pending_request.hpp"

namespace fairlead::server::test::resource_test {
namespace {

using protocol::ProtocolError;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct ResourceTest : testing::Test {
  Server app{"demo", "1.0"};
  Client client{app};

  std::string read(const std::string& uri) { return client.body("resources/read", R"({"uri":")" + uri + "\"}"); }
};

TEST_F(ResourceTest, ListsResourceOptions_S3_12) {
  app.resource("a://b", ResourceOptions{.name = "b", .description = "A b", .mime_type = "text/plain", .size = 3},
               [] { return "x"; });
  EXPECT_EQ(client.body("resources/list"),
            R"({"resources":[{"uri":"a://b","name":"b","description":"A b","mimeType":"text/plain","size":3}]})");
}

TEST_F(ResourceTest, ReadsTextAndBytesAndJson_S3_13) {
  app.resource("a://text", "text", [] { return "hello"; });
  app.resource("a://bytes", ResourceOptions{.name = "bytes", .mime_type = "image/png"},
               [] { return BlobContents{"\x01\x02"}; });
  app.resource("a://json", "json", [] { return std::map<std::string, int>{{"n", 1}}; });
  EXPECT_EQ(read("a://text"), R"({"contents":[{"uri":"a://text","mimeType":"text/plain","text":"hello"}]})");
  EXPECT_EQ(read("a://bytes"), R"({"contents":[{"uri":"a://bytes","mimeType":"image/png","blob":"AQI="}]})");
  EXPECT_EQ(read("a://json"), R"({"contents":[{"uri":"a://json","mimeType":"application/json","text":"{\"n\":1}"}]})");
}

TEST_F(ResourceTest, TemplateVariablesBecomeArguments) {
  app.resource<"log://{service}/{+path}">(
      "Log", [](Arg<"path", std::string> path, Arg<"service", std::string> service) { return *service + ":" + *path; });
  app.resource<"row://{id}">("Row", [](Arg<"id", int> id) { return std::to_string(id + 1); });
  EXPECT_THAT(read("log://web/2026/nov.txt"), HasSubstr(R"("uri":"log://web/2026/nov.txt")"));
  EXPECT_THAT(read("log://web/2026/nov.txt"), HasSubstr(R"("text":"web:2026/nov.txt")"));
  EXPECT_THAT(read("row://41"), HasSubstr(R"("text":"42")"));
  EXPECT_EQ(client.error_of("resources/read", R"({"uri":"row://x"})"), ProtocolError::resource_missing);
  EXPECT_EQ(
      client.body("resources/templates/list"),
      R"({"resourceTemplates":[{"uriTemplate":"log://{service}/{+path}","name":"Log"},{"uriTemplate":"row://{id}","name":"Row"}]})");
  EXPECT_EQ(client.body("resources/list"), R"({"resources":[]})");
}

TEST_F(ResourceTest, ExactUriWinsOverATemplate) {
  app.resource<"a://{x}">("any", [] { return "any"; });
  app.resource("a://b", "b", [] { return "b"; });
  EXPECT_THAT(read("a://b"), HasSubstr(R"("text":"b")"));
}

TEST_F(ResourceTest, UnknownUriIsNotFound) {
  app.resource("a://b", "b", [] { return "x"; });
  const auto reply = client.request("resources/read", R"({"uri":"a://c"})");
  ASSERT_FALSE(reply);
  EXPECT_EQ(protocol::protocol_error_of(reply.error()), ProtocolError::resource_missing);
  EXPECT_EQ(reply.error().subject, "a://c");
}

TEST_F(ResourceTest, HandlerExceptionPropagatesToTheSession) {
  app.resource("a://b", "b", []() -> std::string { throw std::runtime_error("password"); });
  EXPECT_THROW(client.request("resources/read", R"({"uri":"a://b"})"), std::runtime_error);
}

TEST_F(ResourceTest, SubscribesAndUnsubscribes) {
  app.resource("a://b", "b", [] { return "x"; });
  OpenSession session(app);
  client.context.session_key = 1;
  EXPECT_EQ(client.error_of("resources/subscribe", R"({"uri":"a://c"})"), ProtocolError::resource_missing);
  EXPECT_EQ(client.body("resources/subscribe", R"({"uri":"a://b"})"), "{}");
  app.resource_updated("a://b");
  EXPECT_THAT(session.take_notifications(), ElementsAre(R"(notifications/resources/updated{"uri":"a://b"})"));
  EXPECT_EQ(client.body("resources/unsubscribe", R"({"uri":"a://b"})"), "{}");
  app.resource_updated("a://b");
  EXPECT_THAT(session.take_notifications(), IsEmpty());
}

TEST_F(ResourceTest, BlobWithoutMimeTypeIsOctetStream) {
  app.resource("a://b", "b", [] { return BlobContents{"x"}; });
  EXPECT_THAT(read("a://b"), HasSubstr(R"("mimeType":"application/octet-stream")"));
}

TEST_F(ResourceTest, CarriesCacheHints) {
  app.resource("a://p", ResourceOptions{.name = "p", .cache_scope = protocol::CacheScope::public_}, [] { return "x"; });
  EXPECT_THAT(read("a://p"), HasSubstr(R"("cacheScope":"public")"));

  app.resource("a://b", ResourceOptions{.name = "b", .ttl = std::chrono::milliseconds{70}}, [] { return "x"; });
  EXPECT_THAT(read("a://b"), HasSubstr(R"("ttlMs":70)"));
}

TEST_F(ResourceTest, RejectsAnInvalidTemplate) {
  app.resource_template("a://{", ResourceOptions{}, [] { return "x"; });
  EXPECT_THROW(app.check(), std::invalid_argument);
}

}  // namespace
}  // namespace fairlead::server::test::resource_test
