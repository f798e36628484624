#include <fairlead/json/codec.hpp>
#include <fairlead/json/schema.hpp>
#include <gtest/gtest.h>
#include <map>

namespace fairlead::json::type_schema_test {
namespace {

enum class Unit { celsius, default_ };

struct Location {
  Doc<std::string, "Name of the \"city\"."> city;
  Doc<std::optional<Unit>, "Unit."> unit = {};
};
struct Tree {
  std::string name;
  std::vector<Tree> children = {};
};
struct Odd {
  std::map<std::string, Odd> slashes = {};
};
struct Forest {
  std::vector<Tree> trees = {};
  std::optional<Tree> best = {};
};
struct Tagged_ {
  using Tag = json::Tag<"type", "a">;
  int x;
};
struct Optional_ {
  using Tag = json::Tag<"type", "b", TagRule::may_be_absent>;
  std::optional<int> y = {};
};
struct Empty {};

TEST(TypeSchema, DescribesScalars) {
  EXPECT_EQ(schema_of<bool>(), R"({"type":"boolean"})");
  EXPECT_EQ(schema_of<std::string>(), R"({"type":"string"})");
  EXPECT_EQ(schema_of<double>(), R"({"type":"number"})");
  EXPECT_EQ(schema_of<float>(), R"({"type":"number"})");
  EXPECT_EQ(schema_of<int>(), R"({"type":"integer"})");
  EXPECT_EQ(schema_of<std::uint64_t>(), R"({"type":"integer","minimum":0})");
  EXPECT_EQ(schema_of<std::nullptr_t>(), R"({"type":"null"})");
  EXPECT_EQ(schema_of<Payload>(), "{}");
  EXPECT_EQ(schema_of<Unit>(), R"({"type":"string","enum":["celsius","default"]})");
}

TEST(TypeSchema, DescribesContainers) {
  EXPECT_EQ(schema_of<std::vector<int>>(), R"({"type":"array","items":{"type":"integer"}})");
  EXPECT_EQ((schema_of<std::array<bool, 2>>()),
            R"({"type":"array","items":{"type":"boolean"},"minItems":2,"maxItems":2})");
  EXPECT_EQ((schema_of<std::map<std::string, Payload>>()), R"({"type":"object","additionalProperties":{}})");
  EXPECT_EQ(schema_of<std::optional<int>>(), R"({"type":"integer"})");
}

TEST(TypeSchema, DescribesStructs) {
  EXPECT_EQ(schema_of<Empty>(), R"({"type":"object","properties":{}})");
  EXPECT_EQ(schema_of<Location>(),
            R"({"type":"object","properties":{"city":{"type":"string","description":"Name of the \"city\"."},)"
            R"("unit":{"type":"string","enum":["celsius","default"],"description":"Unit."}},"required":["city"]})");
}

TEST(TypeSchema, DescribesVariants) {
  EXPECT_EQ(
      (schema_of<std::variant<Tagged_, Optional_, Payload>>()),
      R"({"anyOf":[{"type":"object","properties":{"type":{"const":"a"},"x":{"type":"integer"}},"required":["type","x"]},)"
      R"({"type":"object","properties":{"type":{"const":"b"},"y":{"type":"integer"}}},{}]})");
}

TEST(TypeSchema, UsesRefForRecursiveTypes) {
  EXPECT_EQ(
      schema_of<Tree>(),
      R"({"type":"object","properties":{"name":{"type":"string"},"children":{"type":"array","items":{"$ref":"#"}}},)"
      R"("required":["name","children"]})");
  EXPECT_EQ(schema_of<Odd>(),
            R"({"type":"object","properties":{"slashes":{"type":"object","additionalProperties":{"$ref":"#"}}},)"
            R"("required":["slashes"]})");
}

TEST(TypeSchema, RefersToTheInnermostOccurrenceOfTheType) {
  const auto schema = schema_of<Forest>();
  EXPECT_NE(schema.find(R"({"$ref":"#/properties/trees/items"})"), std::string::npos) << schema;
  EXPECT_NE(schema.find(R"({"$ref":"#/properties/best"})"), std::string::npos) << schema;
}

template <class T>
void expect_valid(const T& value) {
  const auto schema = Schema::compile(schema_of<T>());
  ASSERT_TRUE(schema) << schema.error().message;
  EXPECT_TRUE(schema->validate(encode(value)).empty()) << encode(value) << " against " << schema_of<T>();
}

TEST(TypeSchema, AcceptsWhatTheCodecWrites) {
  expect_valid(Location{.city = {"Bern"}, .unit = {Unit::default_}});
  expect_valid(Location{.city = {"Bern"}});
  expect_valid(Forest{.trees = {{"a", {{"b", {}}}}}, .best = Tree{"c", {{"d", {}}}}});
  expect_valid(Odd{{{"a", {}}, {"b", {{{"c", {}}}}}}});
  expect_valid(std::variant<Tagged_, Optional_>(Optional_{3}));
  expect_valid(std::array<bool, 2>{true, false});
  expect_valid(std::map<std::string, std::vector<double>>{{"x", {1, 0.5}}});
  expect_valid(Empty{});
}

TEST(TypeSchema, RefusesWhatTheCodecRefuses) {
  const auto schema = Schema::compile(schema_of<Forest>());
  ASSERT_TRUE(schema);
  for (const char* text :
       {"{}", "[]", R"({"trees":1})", R"({"trees":[{"name":"a","children":[{"name":1,"children":[]}]}]})"}) {
    EXPECT_FALSE(schema->validate(std::string_view(text)).empty()) << text;
    EXPECT_FALSE(decode<Forest>(text)) << text;
  }
}

TEST(TypeSchema, WritesADescriptionOnce) {
  struct Holder {
    Doc<std::vector<Location>, "Places."> places;
    Doc<std::variant<int, std::string>, "Either."> either;
    Doc<Location, "One."> place;
  };
  const auto schema = schema_of<Holder>();
  EXPECT_EQ(schema.find("Places."), schema.rfind("Places."));
  EXPECT_NE(schema.find(R"("either":{"description":"Either.","anyOf":)"), std::string::npos) << schema;
  EXPECT_NE(schema.find(R"("place":{"type":"object","description":"One.")"), std::string::npos) << schema;
}

}  // namespace
}  // namespace fairlead::json::type_schema_test
