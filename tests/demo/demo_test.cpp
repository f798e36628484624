#include "demo/demo.hpp"

#include <fairlead/client.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace fairlead::demo::demo_test {
namespace {

using client::Client;
using client::ClientOptions;
using client::EraPreference;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

/// A client whose user accepts everything and whose model always returns the same text.
ClientOptions accepting_options(EraPreference era, std::string content = R"({"name":"Ada"})") {
  ClientOptions options;
  options.era = era;
  options.on_elicit = [content](protocol::ElicitFormParams) {
    protocol::ElicitResult result;
    result.action = protocol::ElicitAction::accept;
    result.content = json::Payload::trusted(content);
    return result;
  };
  options.on_elicit_url = [](protocol::ElicitUrlParams) {
    protocol::ElicitResult result;
    result.action = protocol::ElicitAction::accept;
    return result;
  };
  options.on_create_message = [](protocol::CreateMessageParams) {
    protocol::CreateMessageResult result;
    result.content.blocks.emplace_back(TextContent{.text = "Paris"});
    result.model = "m";
    return result;
  };
  options.roots.emplace().push_back({.uri = "file:///home"});
  return options;
}

class DemoTest : public testing::TestWithParam<EraPreference> {
 protected:
  Client client(std::string content = R"({"name":"Ada"})") {
    return Client(*demo_, accepting_options(GetParam(), std::move(content)));
  }
  std::string call(const std::string& tool, client::Arguments arguments = {}) {
    return client().call<std::string>(tool, std::move(arguments));
  }

  std::unique_ptr<Server> demo_ = make_demo("1.0");
};

INSTANTIATE_TEST_SUITE_P(BothEras, DemoTest, testing::Values(EraPreference::handshake, EraPreference::stateless),
                         [](const auto& era) {
                           return era.param == EraPreference::handshake ? "handshake" : "stateless";
                         });

TEST_P(DemoTest, EverythingHasADescription) {
  auto demo = client();
  for (const auto& tool : demo.tools()) EXPECT_TRUE(tool.description) << tool.name;
  for (const auto& resource : demo.resources()) EXPECT_TRUE(resource.description) << resource.uri;
  for (const auto& resource : demo.resource_templates()) EXPECT_TRUE(resource.description) << resource.uriTemplate;
  for (const auto& prompt : demo.prompts()) EXPECT_TRUE(prompt.description) << prompt.name;
}

TEST_P(DemoTest, OffersEveryCapability) {
  const auto has = client().server().capabilities;
  EXPECT_TRUE(has.tools && has.resources && has.prompts && has.logging && has.completions);
}

TEST_P(DemoTest, FirstToolNeedsNoArguments) {
  auto demo = client();
  const auto result = demo.call(demo.tools().front().name);
  EXPECT_FALSE(result.isError.value_or(false));
}

TEST_P(DemoTest, OffersLoadTools) {
  EXPECT_EQ(call("echo", {{"text", "hi"}}), "hi");
  EXPECT_EQ(call("blob", {{"size", 1000}}).size(), 1000U);
  int notifications = 0;
  client::CallOptions counting;
  counting.on_progress = [&](const protocol::ProgressParams&) { ++notifications; };
  EXPECT_EQ(client().call<std::string>("progress", {{"steps", 7}}, counting), "7 steps done");
  EXPECT_EQ(notifications, 7);
}

TEST_P(DemoTest, RejectsANegativeBlobSize) {
  const auto result = client().call("blob", {{"size", -1}});
  EXPECT_TRUE(result.isError.value_or(false));
}

TEST_P(DemoTest, ReturnsEveryKindOfContent) {
  auto demo = client();
  EXPECT_TRUE(std::holds_alternative<ImageContent>(demo.call("test_image_content").content.at(0)));
  EXPECT_TRUE(std::holds_alternative<AudioContent>(demo.call("test_audio_content").content.at(0)));
  EXPECT_TRUE(std::holds_alternative<EmbeddedResource>(demo.call("test_embedded_resource").content.at(0)));
  EXPECT_EQ(demo.call("test_multiple_content_types").content.size(), 3U);
  EXPECT_TRUE(std::get<TextContent>(demo.call("test_annotated_content").content.at(0)).annotations);
}

TEST_P(DemoTest, ElicitsSamplesAndListsRoots) {
  EXPECT_EQ(call("test_sampling", {{"prompt", "capital?"}}), "LLM response: Paris");
  EXPECT_THAT(call("test_list_roots"), HasSubstr("file:///home"));
  EXPECT_EQ(call("test_elicitation_url"), "The user agreed to go there");
  auto demo = client(R"({"username":"ada","email":"a@b.c"})");
  EXPECT_THAT(demo.call<std::string>("test_elicitation", {{"message", "who?"}}), HasSubstr("action=accept"));
}

TEST_P(DemoTest, FormsHaveDefaults) {
  auto demo = client("{}");
  EXPECT_EQ(demo.call<std::string>("test_elicitation_sep1034_defaults"),
            "Elicitation completed: action=accept, content="
            R"({"name":"John Doe","age":30,"score":95.5,"status":"active","verified":true})");
}

TEST_P(DemoTest, CompletesSeveralInputRounds) {
  EXPECT_EQ(call("test_input_required_result_elicitation"), "Hello, Ada!");
  EXPECT_EQ(call("test_input_required_result_sampling"), "Paris");
  EXPECT_EQ(call("test_input_required_result_multiple_inputs"), "Paris Ada, 1 roots");
  auto demo = client(R"({"name":"Ada","color":"blue","ok":true})");
  EXPECT_EQ(demo.call<std::string>("test_input_required_result_multi_round"), "Ada likes blue");
  EXPECT_EQ(demo.call<std::string>("test_input_required_result_request_state"), "state-ok: confirmed");
}

TEST_P(DemoTest, ServesResourcesAndPrompts) {
  auto demo = client(R"({"context":"sea"})");
  const auto item = demo.read("test://template/7/data");
  EXPECT_THAT(std::get<protocol::TextResourceContents>(item.contents.at(0)).text, HasSubstr("Data for ID: 7"));
  const auto filled = demo.prompt("test_prompt_with_arguments", {{"arg1", "a"}, {"arg2", "b"}});
  EXPECT_EQ(std::get<TextContent>(filled.messages.at(0).content).text, "Prompt with arguments: arg1='a', arg2='b'");
  EXPECT_EQ(demo.prompt("test_input_required_result_prompt").messages.size(), 1U);
  const auto words = demo.complete(protocol::PromptReference{.name = "test_prompt_with_arguments"}, "arg1", "par");
  EXPECT_THAT(words.values, ElementsAre("paris", "park", "party"));
}

TEST_P(DemoTest, TogglesATool) {
  auto demo = client();
  const auto names = [&] {
    std::set<std::string> all;
    for (const auto& tool : demo.tools()) all.insert(tool.name);
    return all;
  };
  demo.call("test_trigger_tool_change");
  EXPECT_THAT(names(), Contains("test_passing_tool"));
  EXPECT_EQ(demo.call<std::string>("test_passing_tool"), "Still here");
  demo.call("test_trigger_tool_change");
  EXPECT_THAT(names(), testing::Not(Contains("test_passing_tool")));
}

TEST_P(DemoTest, UpdatesTheWatchedResource) {
  auto demo = client();
  const auto text = [&] {
    return std::get<protocol::TextResourceContents>(demo.read("test://watched-resource").contents.at(0)).text;
  };
  EXPECT_EQ(text(), "Version 1");
  demo.call("test_trigger_resource_update");
  EXPECT_EQ(text(), "Version 2");
}

TEST(Demo, StructuredResultsMatchTheirSchema) {
  const auto demo = make_demo("1.0");
  ClientOptions options;
  options.validate_results = client::ResultValidation::always;
  Client client(*demo, options);
  const auto result = client.call("weather", {{"city", "Rome"}, {"unit", "fahrenheit"}});
  ASSERT_TRUE(result.structuredContent);
  EXPECT_THAT(std::string(result.structuredContent->text()), HasSubstr(R"("unit":"fahrenheit")"));
}

TEST(Demo, ValidatesAgainstTheHandWrittenSchema) {
  const auto demo = make_demo("1.0");
  Client client(*demo);
  EXPECT_TRUE(client.call("json_schema_2020_12_tool", {{"name", "x"}}).isError.value_or(false));
  EXPECT_FALSE(client.call("json_schema_2020_12_tool", {{"email", "a@b.c"}}).isError.value_or(false));
}

}  // namespace
}  // namespace fairlead::demo::demo_test
