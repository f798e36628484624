#include "support/official_schema.hpp"

#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/protocol/revision.hpp>
#include <gtest/gtest.h>
#include <set>

/// The tables and the model, held against the specification's own JSON Schema of each revision.
namespace fairlead::protocol::official_schema_test {
namespace {

using Names = std::set<std::string>;

class Official {
 public:
  explicit Official(std::string_view revision)
      : document_(
            test::parse(test::read_file(test::official_data() / "mcp-schema" / (std::string(revision) + ".json")))) {}

  const boost::json::object* definition(std::string_view name) const {
    const auto& root = document_.as_object();
    const auto* all = root.if_contains("$defs");
    if (!all) all = root.if_contains("definitions");
    const auto* found = all->as_object().if_contains(name);
    return found ? &found->as_object() : nullptr;
  }

  /// The methods of a union such as ClientRequest, or of a single message.
  Names methods(std::string_view name) const {
    Names names;
    const auto* found = definition(name);
    if (!found) return names;
    if (const auto* options = found->if_contains("anyOf")) {
      for (const auto& option : options->as_array()) names.merge(methods(target(option)));
    } else {
      names.emplace(found->at("properties").at("method").at("const").as_string());
    }
    return names;
  }

 private:
  static std::string target(const boost::json::value& reference) {
    const std::string path(reference.at("$ref").as_string());
    return path.substr(path.rfind('/') + 1);
  }

  boost::json::value document_;
};

Names names_of(const MethodSet& set) {
  return {set.begin(), set.end()};
}

TEST(OfficialSchema, ListsTheMethodsThatTheTablesList) {
  SKIP_WITHOUT_OFFICIAL_DATA();
  for (const auto& revision : revisions()) {
    const Official official(revision.name);
    EXPECT_EQ(names_of(revision.client_requests), official.methods("ClientRequest")) << revision.name;
    EXPECT_EQ(names_of(revision.server_requests), official.methods("ServerRequest")) << revision.name;
    EXPECT_EQ(names_of(revision.client_notifications), official.methods("ClientNotification")) << revision.name;
    EXPECT_EQ(names_of(revision.server_notifications), official.methods("ServerNotification")) << revision.name;
  }
}

TEST(OfficialSchema, ListsTheContentTypesThatTheTablesList) {
  SKIP_WITHOUT_OFFICIAL_DATA();
  const std::map<std::string, std::string> definitions = {{"TextContent", "text"},
                                                          {"ImageContent", "image"},
                                                          {"AudioContent", "audio"},
                                                          {"ResourceLink", "resource_link"},
                                                          {"EmbeddedResource", "resource"}};
  for (const auto& revision : revisions()) {
    const Official official(revision.name);
    Names types;
    for (const auto& [definition, type] : definitions) {
      if (official.definition(definition)) types.insert(type);
    }
    EXPECT_EQ(names_of(revision.content_types), types) << revision.name;
  }
}

TEST(OfficialSchema, RequiresCacheHintsAsTheTablesDo) {
  SKIP_WITHOUT_OFFICIAL_DATA();
  const std::map<std::string, std::string> results = {
      {"server/discover", "DiscoverResult"},     {"tools/list", "ListToolsResult"},
      {"prompts/list", "ListPromptsResult"},     {"resources/list", "ListResourcesResult"},
      {"resources/read", "ReadResourceResult"},  {"resources/templates/list", "ListResourceTemplatesResult"},
      {"tools/call", "CallToolResult"},          {"prompts/get", "GetPromptResult"},
      {"completion/complete", "CompleteResult"},
  };
  for (const auto& revision : revisions()) {
    const Official official(revision.name);
    for (const auto& [method, name] : results) {
      const auto* definition = official.definition(name);
      const bool hinted = definition && definition->at("properties").as_object().contains("ttlMs");
      EXPECT_EQ(revision.cacheable.contains(method), hinted) << revision.name << " " << method;
    }
  }
}

/// Members of a type: those it may have, and those it must.
struct SchemaMembers {
  Names properties;
  Names required;
};

SchemaMembers members_in(const boost::json::object& schema) {
  SchemaMembers shape;
  if (const auto* properties = schema.if_contains("properties")) {
    for (const auto& member : properties->as_object()) shape.properties.emplace(member.key());
  }
  if (const auto* required = schema.if_contains("required")) {
    for (const auto& name : required->as_array()) shape.required.emplace(name.as_string());
  }
  return shape;
}

// Put on and taken off by the codecs, or left out of a neutral model on purpose.
const Names owned_by_codecs = {"resultType", "_meta"};

template <class Model>
void expect_model_covers(std::string_view name, const Names& lenient = {}) {
  const auto model = members_in(test::parse(json::schema_of<Model>()).as_object());
  for (const auto& revision : revisions()) {
    const Official official(revision.name);
    const auto* definition = official.definition(name);
    if (!definition) continue;
    const auto shape = members_in(*definition);
    for (const auto& property : shape.properties) {
      EXPECT_TRUE(model.properties.contains(property) || owned_by_codecs.contains(property))
          << name << " of " << revision.name << " has " << property;
    }
    for (const auto& property : model.required) {
      EXPECT_TRUE(shape.required.contains(property)) << revision.name << " does not demand " << name << "." << property;
    }
    for (const auto& property : shape.required) {
      const bool hint = property == "ttlMs" || property == "cacheScope";
      EXPECT_TRUE(model.required.contains(property) || owned_by_codecs.contains(property) || hint ||
                  lenient.contains(property))
          << name << " of " << revision.name << " demands " << property;
    }
  }
}

TEST(OfficialSchema, HasNoMemberThatTheModelLacks) {
  SKIP_WITHOUT_OFFICIAL_DATA();
  expect_model_covers<Annotations>("Annotations");
  expect_model_covers<Icon>("Icon");
  expect_model_covers<Implementation>("Implementation");
  expect_model_covers<ClientCapabilities>("ClientCapabilities");
  expect_model_covers<ServerCapabilities>("ServerCapabilities");
  expect_model_covers<InitializeResult>("InitializeResult");
  expect_model_covers<DiscoverResult>("DiscoverResult");
  expect_model_covers<CancelledParams>("CancelledNotificationParams", {"requestId"});
  expect_model_covers<ProgressParams>("ProgressNotificationParams");
  expect_model_covers<SetLevelParams>("SetLevelRequestParams");
  expect_model_covers<LoggingMessageParams>("LoggingMessageNotificationParams");
  expect_model_covers<SubscriptionFilter>("SubscriptionFilter");
  expect_model_covers<SubscriptionsListenParams>("SubscriptionsListenRequestParams");
  expect_model_covers<SubscriptionsAcknowledgedParams>("SubscriptionsAcknowledgedNotificationParams");
}

TEST(OfficialSchema, HasNoMemberOfContentThatTheModelLacks) {
  SKIP_WITHOUT_OFFICIAL_DATA();
  expect_model_covers<TextContent>("TextContent");
  expect_model_covers<ImageContent>("ImageContent");
  expect_model_covers<AudioContent>("AudioContent");
  expect_model_covers<ResourceLink>("ResourceLink");
  expect_model_covers<EmbeddedResource>("EmbeddedResource");
  expect_model_covers<TextResourceContents>("TextResourceContents");
  expect_model_covers<BlobResourceContents>("BlobResourceContents");
  expect_model_covers<ToolUseContent>("ToolUseContent");
  expect_model_covers<ToolResultContent>("ToolResultContent");
}

TEST(OfficialSchema, HasNoMemberOfToolsPromptsOrResourcesThatTheModelLacks) {
  SKIP_WITHOUT_OFFICIAL_DATA();
  expect_model_covers<Tool>("Tool");
  expect_model_covers<ToolAnnotations>("ToolAnnotations");
  expect_model_covers<ToolExecution>("ToolExecution");
  expect_model_covers<ListToolsResult>("ListToolsResult");
  expect_model_covers<CallToolParams>("CallToolRequestParams");
  expect_model_covers<CallToolResult>("CallToolResult");
  expect_model_covers<Resource>("Resource");
  expect_model_covers<ResourceTemplate>("ResourceTemplate");
  expect_model_covers<ListResourcesResult>("ListResourcesResult");
  expect_model_covers<ListResourceTemplatesResult>("ListResourceTemplatesResult");
  expect_model_covers<ReadResourceParams>("ReadResourceRequestParams");
  expect_model_covers<ReadResourceResult>("ReadResourceResult");
  expect_model_covers<ResourceUriParams>("ResourceUpdatedNotificationParams");
  expect_model_covers<Root>("Root");
  expect_model_covers<ListRootsResult>("ListRootsResult");
  expect_model_covers<Prompt>("Prompt");
  expect_model_covers<PromptArgument>("PromptArgument");
  expect_model_covers<PromptMessage>("PromptMessage");
  expect_model_covers<ListPromptsResult>("ListPromptsResult");
  expect_model_covers<GetPromptParams>("GetPromptRequestParams");
  expect_model_covers<GetPromptResult>("GetPromptResult");
  expect_model_covers<CompleteParams>("CompleteRequestParams");
  expect_model_covers<CompleteResult>("CompleteResult");
  expect_model_covers<PromptReference>("PromptReference");
  expect_model_covers<ResourceReference>("ResourceTemplateReference");
}

TEST(OfficialSchema, HasNoMemberOfServerRequestsThatTheModelLacks) {
  SKIP_WITHOUT_OFFICIAL_DATA();
  expect_model_covers<CreateMessageParams>("CreateMessageRequestParams");
  expect_model_covers<CreateMessageResult>("CreateMessageResult");
  expect_model_covers<SamplingMessage>("SamplingMessage");
  expect_model_covers<ModelPreferences>("ModelPreferences");
  expect_model_covers<ModelHint>("ModelHint");
  expect_model_covers<ToolChoice>("ToolChoice");
  expect_model_covers<ElicitFormParams>("ElicitRequestFormParams");
  expect_model_covers<ElicitUrlParams>("ElicitRequestURLParams", {"elicitationId"});
  expect_model_covers<ElicitResult>("ElicitResult");
  expect_model_covers<InputRequiredResult>("InputRequiredResult");
  expect_model_covers<StringSchema>("StringSchema");
  expect_model_covers<NumberSchema>("NumberSchema");
  expect_model_covers<BooleanSchema>("BooleanSchema");
  expect_model_covers<UntitledSingleSelectEnumSchema>("UntitledSingleSelectEnumSchema");
  expect_model_covers<TitledSingleSelectEnumSchema>("TitledSingleSelectEnumSchema");
  expect_model_covers<UntitledMultiSelectEnumSchema>("UntitledMultiSelectEnumSchema");
  expect_model_covers<TitledMultiSelectEnumSchema>("TitledMultiSelectEnumSchema");
  expect_model_covers<LegacyTask>("Task");
  expect_model_covers<CreateTaskResult>("CreateTaskResult");
  expect_model_covers<ListTasksResult>("ListTasksResult");
}

}  // namespace
}  // namespace fairlead::protocol::official_schema_test
