#include "demo/demo.hpp"

#include <fairlead/client.hpp>
#include <fairlead/skills.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlead::demo::demo_test {
namespace {

using namespace std::chrono_literals;
using client::Client;
using client::ClientOptions;
using client::EraPreference;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// A client whose user accepts everything and whose model always returns the same text.
ClientOptions accepting_options(EraPreference era) {
  ClientOptions options;
  options.era = era;
  options.on_elicit = [](protocol::ElicitFormParams) {
    protocol::ElicitResult result;
    result.action = protocol::ElicitAction::accept;
    result.content = json::Payload::trusted(R"({"name":"Ada","colour":"red"})");
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
  Client client() { return Client(*demo_, accepting_options(GetParam())); }
  std::string call(const std::string& tool, client::Arguments arguments = {}) {
    return client().call<std::string>(tool, std::move(arguments));
  }
  std::string text_of(const std::string& uri) {
    return std::get<protocol::TextResourceContents>(client().read(uri).contents.at(0)).text;
  }

  std::unique_ptr<Server> demo_ = make_demo("1.0");
};

INSTANTIATE_TEST_SUITE_P(BothEras, DemoTest, testing::Values(EraPreference::handshake, EraPreference::stateless),
                         [](const auto& era) {
                           return era.param == EraPreference::handshake ? "handshake" : "stateless";
                         });

template <class Entries>
std::vector<std::string> names_of(const Entries& entries) {
  std::vector<std::string> names;
  for (const auto& entry : entries) names.push_back(entry.name);
  return names;
}

TEST_P(DemoTest, ShowsEachFeatureOnce) {
  auto demo = client();
  EXPECT_THAT(names_of(demo.tools()),
              ElementsAre("echo", "blob", "progress", "add", "weather", "picture", "attach_files", "log", "fail",
                          "ask_user", "ask_model", "list_roots", "work", "count", "change_lists"));
  EXPECT_THAT(names_of(demo.prompts()), ElementsAre("plan_trip", "describe_picture"));
  EXPECT_THAT(names_of(demo.resource_templates()), Contains("weather"));
  const auto has = demo.server().capabilities;
  EXPECT_TRUE(has.tools && has.resources && has.prompts && has.logging && has.completions);
}

TEST_P(DemoTest, EverythingHasATitleAndADescription) {
  auto demo = client();
  for (const auto& tool : demo.tools()) EXPECT_TRUE(tool.title && tool.description && tool.annotations) << tool.name;
  for (const auto& resource : demo.resources()) EXPECT_TRUE(resource.description) << resource.uri;
  for (const auto& resource : demo.resource_templates()) EXPECT_TRUE(resource.description) << resource.uriTemplate;
  for (const auto& prompt : demo.prompts()) EXPECT_TRUE(prompt.title && prompt.description) << prompt.name;
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

TEST_P(DemoTest, ReturnsData) {
  auto demo = client();
  EXPECT_EQ(demo.call<double>("add", {{"a", 1.5}, {"b", 2}}), 3.5);
  EXPECT_TRUE(std::holds_alternative<ImageContent>(demo.call("picture").content.at(0)));
  const auto files = demo.call("attach_files").content;
  EXPECT_TRUE(std::holds_alternative<EmbeddedResource>(files.at(1)));
  EXPECT_EQ(std::get<ResourceLink>(files.at(2)).uri, "demo://picture");
}

TEST_P(DemoTest, AsksTheClient) {
  EXPECT_EQ(call("ask_user"), "Ada likes red");
  EXPECT_EQ(call("ask_model", {{"prompt", "capital?"}}), "The model answered: Paris");
  EXPECT_EQ(call("list_roots"), "1 root\nfile:///home");
}

TEST_P(DemoTest, FailsClearly) {
  const auto result = client().call("fail");
  EXPECT_EQ(result.isError, true);
  EXPECT_THAT(std::get<TextContent>(result.content.at(0)).text, HasSubstr("always fails"));
}

TEST_P(DemoTest, Logs) {
  auto options = accepting_options(GetParam());
  std::string logged;
  options.on_log = [&](const protocol::LoggingMessageParams& message) { logged = message.data.text(); };
  Client demo(*demo_, options);
  demo.set_log_level(LoggingLevel::warning);
  demo.call("log", {{"message", "quiet"}});
  demo.call("log", {{"message", "loud"}, {"level", "error"}});
  EXPECT_EQ(logged, R"("loud")");
}

TEST_P(DemoTest, ServesResourcesAndPrompts) {
  EXPECT_THAT(text_of("demo://welcome"), HasSubstr("Welcome"));
  EXPECT_THAT(text_of("demo://weather/Rome"), HasSubstr(R"("city":"Rome")"));
  const auto filled = client().prompt("plan_trip", {{"city", "Oslo"}});
  EXPECT_THAT(std::get<TextContent>(filled.messages.at(0).content).text, HasSubstr("to Oslo of 3 days"));
  const auto cities = client().complete(protocol::PromptReference{.name = "plan_trip"}, "city", "LI");
  EXPECT_THAT(cities.values, ElementsAre("Lima", "Lisbon"));
}

TEST_P(DemoTest, ChangesTheListsAndTheCounter) {
  auto demo = client();
  EXPECT_THAT(demo.call<std::string>("change_lists"), HasSubstr("Added"));
  EXPECT_THAT(names_of(demo.tools()), Contains("bonus"));
  EXPECT_THAT(names_of(demo.prompts()), Contains("bonus"));
  EXPECT_THAT(names_of(demo.resources()), Contains("bonus"));
  EXPECT_THAT(demo.call<std::string>("change_lists"), HasSubstr("Removed"));
  EXPECT_THAT(names_of(demo.tools()), Not(Contains("bonus")));
  EXPECT_EQ(text_of("demo://counter"), "0");
  demo.call("count");
  EXPECT_EQ(text_of("demo://counter"), "1");
}

TEST(Demo, StructuredResultsMatchTheirSchemaAndHaveAPage) {
  const auto demo = make_demo("1.0");
  ClientOptions options;
  options.validate_results = client::ResultValidation::always;
  Client client(*demo, options);
  const auto result = client.call("weather", {{"city", "Rome"}, {"unit", "fahrenheit"}});
  ASSERT_TRUE(result.structuredContent);
  EXPECT_THAT(std::string(result.structuredContent->text()), HasSubstr(R"("unit":"fahrenheit")"));
  const auto page = std::get<protocol::TextResourceContents>(client.read("ui://demo/weather").contents.at(0));
  EXPECT_EQ(page.mimeType, "text/html;profile=mcp-app");
  EXPECT_THAT(page.text, HasSubstr("ui/initialize"));
}

TEST(Demo, ServesASkill) {
  const auto demo = make_demo("1.0");
  Client client(*demo);
  const auto listed = list_skills(client);
  ASSERT_EQ(listed.size(), 1U);
  auto skill = load_skill(client, listed.at(0));
  EXPECT_THAT(skill.text(), HasSubstr("Trip planning"));
  EXPECT_THAT(skill.read("references/packing.md"), HasSubstr("coat"));
}

TEST(Demo, WorkBecomesATask) {
  const auto demo = make_demo("1.0");
  ClientOptions options;
  options.tasks = true;
  Client client(*demo, options);
  auto job = client.start<std::string>("work", {{"seconds", 0.8}});
  EXPECT_FALSE(job.reference().empty());
  EXPECT_EQ(job.wait(1min), "The work is done");
  EXPECT_EQ(client.call<std::string>("work", {{"seconds", 0}}), "The work is done");
}

}  // namespace
}  // namespace fairlead::demo::demo_test
