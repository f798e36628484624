#include <fairlead/json/schema.hpp>
#include <fairlead/protocol/era_codec.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <gtest/gtest.h>

#include "support/official_schema.hpp"

/// One neutral result, lowered into every revision, is what that revision's own schema calls valid.
namespace fairlead::protocol::wire_validity_test {
namespace {

json::Schema official_type(const Revision& revision, std::string_view type) {
  const auto path = test::official_data() / "mcp-schema" / (std::string(revision.name) + ".json");
  auto document = test::parse(test::read_file(path)).as_object();
  const std::string definitions = document.contains("$defs") ? "$defs" : "definitions";
  document["$ref"] = "#/" + definitions + "/" + std::string(type);
  auto schema = json::Schema::compile(boost::json::serialize(document));
  EXPECT_TRUE(schema) << revision.name << " " << type << ": " << schema.error().message;
  return *schema;
}

template <class M>
void expect_valid_everywhere(std::string_view type, const typename M::Result& result) {
  const Implementation server{.name = "s", .version = "1"};
  for (const auto& revision : revisions()) {
    if (!revision.client_requests.contains(M::method)) continue;
    const ResultEnvelope envelope{.method = M::method, .server = &server};
    const auto body = revision.codec->encode_result(json::to_payload(result), envelope, revision);
    const auto violations = official_type(revision, type).validate(body.text());
    EXPECT_TRUE(violations.empty()) << revision.name << " " << to_string(violations.front()) << "\n" << body.text();
  }
}

Annotations some_annotations() {
  return {.audience = {{Role::user}}, .priority = 0.5, .lastModified = "2025-01-12T15:00:58Z"};
}

std::vector<ContentBlock> every_kind_of_content() {
  return {TextContent{.text = "a", .annotations = some_annotations()},
          ImageContent{.data = "AA==", .mimeType = "image/png"}, AudioContent{.data = "AA==", .mimeType = "audio/wav"},
          ResourceLink{.uri = "x://a", .name = "a", .size = 3},
          EmbeddedResource{.resource = TextResourceContents{.uri = "x://a", .text = "t"}}};
}

TEST(EncodedResults, AreValidInTheirRevisionForTools) {
  SKIP_WITHOUT_OFFICIAL_DATA();
  for (const auto* structured : {R"({"a":1})", "[1]", "null", "7"}) {
    expect_valid_everywhere<CallTool>(
        "CallToolResult",
        {.content = every_kind_of_content(), .structuredContent = Payload::trusted(structured), .isError = false});
  }
  for (const auto* output : {R"({"type":"object"})", R"({"type":"array"})", "{}"}) {
    expect_valid_everywhere<ListTools>("ListToolsResult",
                                       {.tools = {{.name = "a",
                                                   .title = "A",
                                                   .inputSchema = Payload::trusted(R"({"type":"object"})"),
                                                   .outputSchema = Payload::trusted(output),
                                                   .annotations = ToolAnnotations{.readOnlyHint = true},
                                                   .icons = {{Icon{.src = "https://a/b.png"}}}}},
                                        .nextCursor = ""});
  }
}

TEST(EncodedResults, AreValidInTheirRevisionForPromptsAndResources) {
  SKIP_WITHOUT_OFFICIAL_DATA();
  for (const auto& block : every_kind_of_content()) {
    expect_valid_everywhere<GetPrompt>("GetPromptResult", {.messages = {{.role = Role::user, .content = block}}});
  }
  expect_valid_everywhere<ListPrompts>("ListPromptsResult",
                                       {.prompts = {{.name = "p", .arguments = {{PromptArgument{.name = "x"}}}}}});
  expect_valid_everywhere<ListResources>("ListResourcesResult", {.resources = {{.uri = "x://a", .name = "a"}}});
  expect_valid_everywhere<ListResourceTemplates>("ListResourceTemplatesResult",
                                                 {.resourceTemplates = {{.uriTemplate = "x://{a}", .name = "a"}}});
  expect_valid_everywhere<ReadResource>("ReadResourceResult",
                                        {.contents = {BlobResourceContents{.uri = "x://a", .blob = "AA=="}}});
  expect_valid_everywhere<Complete>("CompleteResult", {.completion = {.values = {"a"}, .total = 1}});
}

TEST(EncodedResults, AreValidInTheirRevisionForTheLifecycle) {
  SKIP_WITHOUT_OFFICIAL_DATA();
  const ServerCapabilities capabilities{.tools = ListChanged{.listChanged = true},
                                        .completions = Payload::trusted("{}")};
  expect_valid_everywhere<Initialize>(
      "InitializeResult",
      {.protocolVersion = "2025-11-25", .capabilities = capabilities, .serverInfo = {.name = "s", .version = "1"}});
  expect_valid_everywhere<Discover>("DiscoverResult",
                                    {.supportedVersions = {"2026-07-28"}, .capabilities = capabilities});
  expect_valid_everywhere<Ping>("EmptyResult", {});
}

TEST(EncodedRequests, AreValidInTheStatelessRevision) {
  SKIP_WITHOUT_OFFICIAL_DATA();
  const auto caller = std::make_shared<const ClientIdentity>(
      ClientIdentity{.revision = std::string(newest().name), .info = Implementation{.name = "c", .version = "1"}});
  const auto valid = [&](std::string_view type, std::string params) {
    const auto lowered = newest().codec->encode_request(Payload::trusted(std::move(params)), caller);
    return official_type(newest(), type).validate(lowered.text()).empty();
  };
  EXPECT_TRUE(valid("CallToolRequestParams", R"({"name":"a","arguments":{}})"));
  EXPECT_TRUE(valid("PaginatedRequestParams", "{}"));
  EXPECT_TRUE(
      valid("CompleteRequestParams", R"({"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":""}})"));
  EXPECT_FALSE(valid("CallToolRequestParams", R"({"arguments":{}})"));
}

}  // namespace
}  // namespace fairlead::protocol::wire_validity_test
