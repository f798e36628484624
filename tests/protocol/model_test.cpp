#include <fairlead/protocol/model/methods.hpp>
#include <gtest/gtest.h>

namespace fairlead::protocol::model_test {
namespace {

template <class T>
std::string round_trip(std::string_view text) {
  const auto value = json::decode<T>(text);
  return value ? json::encode(*value) : value.error().message;
}

TEST(Model, OmitsAbsentMembers) {
  const Tool tool{.name = "add", .inputSchema = Payload::trusted(R"({"type":"object"})")};
  EXPECT_EQ(json::encode(tool), R"({"name":"add","inputSchema":{"type":"object"}})");
}

TEST(Model, KeepsContentOfUnknownType) {
  const std::string_view text = R"({"type":"hologram","beams":[1, 2]})";
  EXPECT_EQ(round_trip<ContentBlock>(text), text);
}

TEST(Model, KeepsUnknownMembersOfListedItems) {
  const std::string_view tool = R"({"name":"a","inputSchema":{},"extra":1.50,"x-vendor":{"b" : 2}})";
  EXPECT_EQ(round_trip<Tool>(tool), tool);
  const std::string_view capabilities = R"({"tools":{"listChanged":true,"y":1},"z":{}})";
  EXPECT_EQ(round_trip<ServerCapabilities>(capabilities), capabilities);
}

TEST(Model, Finding_P7_KeepsUnknownMembersOneLevelDown) {
  const std::string_view tool =
      R"({"name":"a","inputSchema":{},"annotations":{"readOnlyHint":true,"x":1},"execution":{"y":2},)"
      R"("icons":[{"src":"s","z":3}]})";
  EXPECT_EQ(round_trip<Tool>(tool), tool);
  const std::string_view resource = R"({"uri":"a:b","name":"b","annotations":{"priority":1,"x":[1]}})";
  EXPECT_EQ(round_trip<Resource>(resource), resource);
  const std::string_view prompt = R"({"name":"p","arguments":[{"name":"q","required":true,"x":"y"}]})";
  EXPECT_EQ(round_trip<Prompt>(prompt), prompt);
}

TEST(Model, Finding_P7_KeepsUnknownServerInfo) {
  const std::string_view result =
      R"({"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1","vendor":"v"},)"
      R"("_meta":{"a":1},"more":{"b":[2]}})";
  EXPECT_EQ(round_trip<InitializeResult>(result), result);
}

TEST(Model, KeepsASchemaByteForByte) {
  const std::string_view tool = R"({"name":"a","inputSchema":{ "type":"object", "minProperties":1.0 }})";
  EXPECT_EQ(round_trip<Tool>(tool), tool);
}

TEST(Model, ErrorsContainThePath) {
  EXPECT_EQ(round_trip<CallToolParams>("{}"), "name: is required");
  EXPECT_EQ(round_trip<ListToolsResult>(R"({"tools":[{"name":"a","inputSchema":{}},{"name":7}]})"),
            "tools[1].name: expected a string, got a number");
  EXPECT_EQ(round_trip<SetLevelParams>(R"({"level":"loud"})"),
            R"(level: expected one of "debug", "info", "notice", "warning", "error", "critical", "alert", )"
            R"("emergency", got "loud")");
}

TEST(Model, DistinguishesFormsFromUrls) {
  EXPECT_TRUE(std::holds_alternative<ElicitFormParams>(
      *json::decode<ElicitParams>(std::string_view(R"({"message":"m","requestedSchema":{}})"))));
  EXPECT_TRUE(std::holds_alternative<ElicitUrlParams>(
      *json::decode<ElicitParams>(std::string_view(R"({"mode":"url","message":"m","url":"https://a"})"))));
  EXPECT_FALSE(json::decode<ElicitParams>(std::string_view(R"({"mode":"carrier pigeon"})")));
}

TEST(Model, DistinguishesTheTypesOfFormFields) {
  const auto kind = [](std::string_view text) { return json::decode<PrimitiveSchema>(text)->index(); };
  EXPECT_EQ(kind(R"({"type":"string","oneOf":[{"const":"a","title":"A"}]})"), 0u);
  EXPECT_EQ(kind(R"({"type":"string","enum":["a"],"enumNames":["A"]})"), 1u);
  EXPECT_EQ(kind(R"({"type":"string","enum":["a"]})"), 2u);
  EXPECT_EQ(kind(R"({"type":"string"})"), 3u);
  EXPECT_EQ(kind(R"({"type":"boolean","default":true})"), 4u);
  EXPECT_EQ(kind(R"({"type":"array","items":{"anyOf":[]}})"), 5u);
  EXPECT_EQ(kind(R"({"type":"array","items":{"type":"string","enum":["a"]}})"), 6u);
  EXPECT_EQ(kind(R"({"type":"integer","minimum":1})"), 7u);
}

TEST(Model, KeepsASingleSamplingBlock) {
  const std::string_view one = R"({"role":"user","content":{"type":"text","text":"a"}})";
  const std::string_view list = R"({"role":"user","content":[{"type":"text","text":"a"}]})";
  EXPECT_EQ(round_trip<SamplingMessage>(one), one);
  EXPECT_EQ(round_trip<SamplingMessage>(list), list);
}

TEST(Model, ReadsTheSmallestInitialize) {
  const auto params =
      json::decode<InitializeParams>(std::string_view(R"({"protocolVersion":"2025-06-18","capabilities":{}})"));
  ASSERT_TRUE(params);
  EXPECT_FALSE(params->clientInfo);
  EXPECT_TRUE(json::decode<InitializeParams>(std::string_view("{}")));
}

TEST(Model, ReadsATaskWithoutExpiry) {
  const std::string_view task = R"({"taskId":"t","status":"working","createdAt":"a","lastUpdatedAt":"b","ttl":null})";
  EXPECT_EQ(round_trip<LegacyTask>(task), task);
}

TEST(Model, BindsMethodNamesToTypes) {
  static_assert(CallTool::method == "tools/call");
  static_assert(std::is_same_v<CallTool::Params, CallToolParams>);
  static_assert(std::is_same_v<CallTool::Result, CallToolResult>);
}

}  // namespace
}  // namespace fairlead::protocol::model_test
