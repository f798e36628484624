#include <boost/json.hpp>
#include <fairlead/json/schema.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlead::json::schema_message_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

std::vector<std::string> messages(std::string_view schema, std::string_view instance, SchemaOptions options = {}) {
  const auto compiled = Schema::compile(schema, options);
  if (!compiled) return {"does not compile: " + compiled.error().message};
  std::vector<std::string> texts;
  for (const auto& violation : compiled->validate(instance)) texts.push_back(to_string(violation));
  return texts;
}

TEST(SchemaMessage, NamesTheExpectedAndTheActualType) {
  EXPECT_THAT(messages(R"({"properties":{"address":{"properties":{"zip":{"type":"string"}}}}})",
                       R"({"address":{"zip":12345}})"),
              ElementsAre("address.zip: expected a string, got a number"));
}

TEST(SchemaMessage, ListsSeveralAllowedTypes) {
  EXPECT_THAT(messages(R"({"type":["string","null","integer"]})", "true"),
              ElementsAre("value: expected a string, an integer or null, got a boolean"));
}

TEST(SchemaMessage, ShowsAFractionWhereAnIntegerIsExpected) {
  EXPECT_THAT(messages(R"({"type":"integer"})", "1.5"), ElementsAre(HasSubstr("expected an integer, got 1.5")));
}

TEST(SchemaMessage, ReportsAMissingPropertyAtItsOwnPath) {
  EXPECT_THAT(messages(R"({"properties":{"items":{"items":{"required":["name"]}}}})",
                       R"({"items":[{"name":1},{"name":2},{}]})"),
              ElementsAre("items[2].name: is required"));
}

TEST(SchemaMessage, QuotesNamesThatAreNotIdentifiers) {
  EXPECT_THAT(messages(R"({"additionalProperties":{"type":"null"}})", R"({"a b":1})"),
              ElementsAre(R"(["a b"]: expected null, got a number)"));
}

TEST(SchemaMessage, ListsTheAllowedValues) {
  EXPECT_THAT(messages(R"({"enum":["red","green",3]})", R"("blue")"),
              ElementsAre(R"(value: must be one of "red", "green" or 3; got "blue")"));
}

TEST(SchemaMessage, NamesTheOnlyAllowedValue) {
  EXPECT_THAT(messages(R"({"const":{"a":1}})", "[]"), ElementsAre(R"(value: must be {"a":1}, got [])"));
}

TEST(SchemaMessage, SuggestsTheClosestKnownProperty) {
  EXPECT_THAT(
      messages(R"({"properties":{"colour":true,"size":true},"additionalProperties":false})", R"({"color":1})"),
      ElementsAre(R"(color: is an unknown property; did you mean "colour"? known properties: "size" and "colour")"));
}

TEST(SchemaMessage, SuggestsPropertiesBehindReferences) {
  EXPECT_THAT(messages(R"({"$ref":"#/$defs/base","unevaluatedProperties":false,
                           "$defs":{"base":{"properties":{"name":true}}}})",
                       R"({"nmae":1})"),
              ElementsAre(HasSubstr(R"(nmae: is an unknown property; did you mean "name"? known properties: "name")")));
}

TEST(SchemaMessage, NamesTheLimit) {
  EXPECT_THAT(messages(R"({"minimum":3})", "2"), ElementsAre("value: must be at least 3, got 2"));
  EXPECT_THAT(messages(R"({"exclusiveMaximum":3})", "3"), ElementsAre("value: must be less than 3, got 3"));
  EXPECT_THAT(messages(R"({"multipleOf":0.01})", "0.005"), ElementsAre("value: must be a multiple of 0.01, got 0.005"));
  EXPECT_THAT(messages(R"({"minLength":2})", R"("ä")"), ElementsAre("value: must have at least 2 characters, got 1"));
  EXPECT_THAT(messages(R"({"maxItems":1})", "[1,2]"), ElementsAre("value: must have at most 1 item, got 2"));
  EXPECT_THAT(messages(R"({"minProperties":1})", "{}"), ElementsAre("value: must have at least 1 property, got 0"));
}

TEST(SchemaMessage, ShowsThePatternAndTheFormat) {
  EXPECT_THAT(messages(R"({"pattern":"^a+$"})", R"("b")"),
              ElementsAre(R"(value: must match the pattern "^a+$", got "b")"));
  EXPECT_THAT(messages(R"({"format":"ipv4"})", R"("1.2.3")", {.assert_formats = true}),
              ElementsAre(R"(value: must be a valid ipv4, got "1.2.3")"));
}

TEST(SchemaMessage, NamesTheEqualItems) {
  EXPECT_THAT(messages(R"({"uniqueItems":true})", "[1,2,1.0]"),
              ElementsAre("value: items must be unique: items 0 and 2 are both 1"));
}

TEST(SchemaMessage, ListsTheReasonsOfSimpleAlternatives) {
  EXPECT_THAT(messages(R"({"anyOf":[{"type":"string"},{"type":"number","minimum":5}]})", "true"),
              ElementsAre("value: expected a string, got a boolean, or expected a number, got a boolean"));
}

TEST(SchemaMessage, ExplainsTheNearestAlternative) {
  EXPECT_THAT(
      messages(R"({"oneOf":[{"type":"string"},{"properties":{"kind":{"const":"a"},"size":{"type":"integer"}}}]})",
               R"({"kind":"a","size":"big"})"),
      ElementsAre("value: matches none of 2 alternatives; the nearest is number 2: "
                  "size: expected an integer, got a string"));
}

TEST(SchemaMessage, NamesTheAlternativesThatMatchForOneOf) {
  EXPECT_THAT(messages(R"({"oneOf":[{"type":"integer"},{"type":"string"},{"minimum":2}]})", "3"),
              ElementsAre("value: must match exactly one of 3 alternatives, but matches number 1 and 3"));
}

TEST(SchemaMessage, DistinguishesAPropertyNameFromItsValue) {
  EXPECT_THAT(messages(R"({"propertyNames":{"maxLength":2}})", R"({"abc":1})"),
              ElementsAre(R"(value: the property name "abc" must have at most 2 characters, got 3)"));
}

TEST(SchemaMessage, NamesTheReasonForARequiredProperty) {
  EXPECT_THAT(messages(R"({"dependentRequired":{"card":["address"]}})", R"({"card":1})"),
              ElementsAre(R"(address: is required where "card" is present)"));
}

TEST(SchemaMessage, CollectsAllViolations) {
  EXPECT_THAT(
      messages(R"({"required":["a"],"properties":{"b":{"type":"string"},"c":{"maximum":1}}})", R"({"b":1,"c":2})"),
      UnorderedElementsAre("a: is required", "b: expected a string, got a number", "c: must be at most 1, got 2"));
}

TEST(SchemaMessage, LimitsTheNumberOfViolations) {
  std::string many = "[0";
  for (int i = 0; i < 1000; ++i) many += ",0";
  EXPECT_THAT(messages(R"({"items":{"type":"string"}})", many + "]"), SizeIs(Schema::max_violations));
}

TEST(SchemaMessage, TruncatesLongValues) {
  const auto texts = messages(R"({"const":1})", '"' + std::string(100'000, 'x') + '"');
  ASSERT_THAT(texts, SizeIs(1));
  EXPECT_LT(texts.front().size(), 200U);
  EXPECT_THAT(texts.front(), HasSubstr("…"));
}

TEST(SchemaMessage, ReportsInvalidJsonAsOneViolation) {
  EXPECT_THAT(messages("true", "{\"a\":"), ElementsAre(HasSubstr("value: not JSON: ")));
  EXPECT_THAT(messages("true", "1 2"), ElementsAre(HasSubstr("value: not JSON: ")));
}

TEST(SchemaMessage, ReportsNothingForAnAcceptedValue) {
  EXPECT_THAT(messages(R"({"type":"object","required":["a"]})", R"({"a":1})"), IsEmpty());
}

}  // namespace
}  // namespace fairlead::json::schema_message_test
