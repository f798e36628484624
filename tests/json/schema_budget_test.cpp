#include <boost/json.hpp>
#include <fairlead/json/schema.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

namespace fairlead::json::schema_budget_test {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

std::string repeated(std::string_view text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

Schema compiled(std::string_view text, const SchemaOptions& options = {}) {
  auto schema = Schema::compile(text, options);
  if (!schema) throw std::runtime_error(schema.error().message);
  return *schema;
}

/// Each level tries the next one twice, so that n levels take 2^n steps.
std::string bomb(int levels) {
  std::string text = R"({"$ref":"#/$defs/l0","$defs":{)";
  for (int i = 0; i < levels; ++i) {
    const auto next = R"({"$ref":"#/$defs/l)" + std::to_string(i + 1) + R"("})";
    text += R"("l)" + std::to_string(i) + R"(":{"allOf":[)" + next + "," + next + "]},";
  }
  return text + R"("l)" + std::to_string(levels) + R"(":{"type":"object"}}})";
}

TEST(SchemaBudget, DetectsASelfReference) {
  const auto violations = compiled(R"({"$ref":"#"})").validate("1");
  ASSERT_THAT(violations, SizeIs(1));
  EXPECT_THAT(violations[0].reason, HasSubstr("refers to itself without end"));
}

TEST(SchemaBudget, DetectsALongCycleOfReferences) {
  const auto schema = compiled(R"({"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/b"}]},"b":{"not":{"$ref":"#/$defs/a"}}},
                                   "properties":{"x":{"$ref":"#/$defs/a"}}})");
  const auto violations = schema.validate(R"({"x":1})");
  ASSERT_THAT(violations, SizeIs(1));
  EXPECT_EQ(violations[0].path, "x");
  EXPECT_FALSE(schema.accepts(boost::json::parse(R"({"x":1})")));
}

TEST(SchemaBudget, NotDoesNotAcceptAnUncheckedValue) {
  EXPECT_FALSE(compiled(R"({"not":{"$ref":"#/$defs/a"},"$defs":{"a":{"$ref":"#/$defs/a"}}})").accepts(1));
}

TEST(SchemaBudget, ReportsAValueNestedTooDeep) {
  const auto schema = compiled(R"({"items":{"$ref":"#"}})");
  EXPECT_TRUE(schema.validate(repeated("[", 60) + repeated("]", 60)).empty());
  const auto violations = schema.validate(repeated("[", 200) + repeated("]", 200));
  ASSERT_THAT(violations, SizeIs(1));
  EXPECT_THAT(violations[0].reason, HasSubstr("deeper than 128 levels"));
}

TEST(SchemaBudget, RespectsMaxDepth) {
  const auto schema = compiled(R"({"items":{"$ref":"#"}})", {.max_depth = 8});
  EXPECT_FALSE(schema.validate(repeated("[", 10) + repeated("]", 10)).empty());
}

TEST(SchemaBudget, StopsACompositionBomb) {
  const auto violations = compiled(bomb(40)).validate("{}");
  ASSERT_THAT(violations, SizeIs(1));
  EXPECT_THAT(violations[0].reason, HasSubstr("more than 1000000 steps"));
}

TEST(SchemaBudget, StopsABombOfFailingAlternatives) {
  auto text = bomb(40);
  for (auto at = text.find("allOf"); at != text.npos; at = text.find("allOf", at)) text.replace(at, 5, "oneOf");
  EXPECT_THAT(compiled(text).validate("1"), SizeIs(1));
}

TEST(SchemaBudget, LimitsTheReportOfNestedAlternatives) {
  auto text = bomb(12);
  for (auto at = text.find("allOf"); at != text.npos; at = text.find("allOf", at)) text.replace(at, 5, "anyOf");
  EXPECT_THAT(compiled(text).validate("1"), SizeIs(1));
}

TEST(SchemaBudget, FindsDuplicatesAmongManyItems) {
  std::string items = "[0";
  for (int i = 1; i < 50'000; ++i) items += "," + std::to_string(i);
  const auto schema = compiled(R"({"uniqueItems":true})");
  EXPECT_TRUE(schema.validate(items + "]").empty());
  EXPECT_THAT(schema.validate(items + ",7.0]"), SizeIs(1));
}

TEST(SchemaBudget, RefusesATooDeeplyNestedSchema) {
  const auto text = repeated(R"({"not":)", 100'000) + "true" + repeated("}", 100'000);
  const auto schema = Schema::compile(text);
  ASSERT_FALSE(schema);
  EXPECT_EQ(schema.error().kind, ErrorKind::malformed);
}

TEST(SchemaBudget, CompilesAndRunsTheDeepestAcceptedSchema) {
  const auto text = repeated(R"({"not":)", 250) + "true" + repeated("}", 250);
  EXPECT_THAT(compiled(text).validate("1"), SizeIs(1));
}

TEST(SchemaBudget, RefusesATooDeeplyNestedInstance) {
  EXPECT_THAT(compiled("true").validate(repeated("[", 100'000)), SizeIs(1));
}

TEST(SchemaBudget, RefusesPatternsThatNeedTooMuchMemory) {
  for (const auto* pattern : {R"((((a{100}){100}){100}){100})", R"((\\p{L}{1,1000}){1,1000})", "a{100000}"}) {
    const auto schema = Schema::compile(R"({"pattern":")" + std::string(pattern) + "\"}");
    ASSERT_FALSE(schema) << pattern;
    EXPECT_THAT(schema.error().message, HasSubstr("#/pattern: "));
  }
  EXPECT_FALSE(Schema::compile(R"({"pattern":")" + std::string(1 << 20, 'a') + "\"}"));
}

TEST(SchemaBudget, RefusesPatternsThatAreTooLargeTogether) {
  std::string text = R"({"patternProperties":{)";
  for (int i = 0; i < 1000; ++i) text += "\"[^a]{900}" + std::to_string(i) + "\":true,";
  const auto schema = Schema::compile(text + R"("z":true}})");
  ASSERT_FALSE(schema);
  EXPECT_THAT(schema.error().message, HasSubstr("too large"));
}

TEST(SchemaBudget, HandlesWideSchemas) {
  std::string text = R"({"properties":{)";
  for (int i = 0; i < 20'000; ++i) text += "\"p" + std::to_string(i) + "\":{\"type\":\"integer\"},";
  const auto schema = compiled(text + R"("z":true}})");
  EXPECT_THAT(schema.validate(R"({"p19999":"x"})"), SizeIs(1));
}

TEST(SchemaBudget, StopsAResolverThatReturnsEndlessDocuments) {
  int served = 0;
  const SchemaOptions options{.resolve = [&](std::string_view) {
    return std::optional(R"({"$ref":"next)" + std::to_string(++served) + "\"}");
  }};
  const auto schema = Schema::compile(R"({"$ref":"first"})", options);
  ASSERT_FALSE(schema);
  EXPECT_THAT(schema.error().message, HasSubstr("at most 1000 documents"));
}

TEST(SchemaBudget, SurvivesInfinity) {
  EXPECT_TRUE(compiled(R"({"type":"number","minimum":1e308})").validate("1e400").empty());
  EXPECT_THAT(compiled(R"({"multipleOf":3})").validate("1e400"), SizeIs(1));
}

}  // namespace
}  // namespace fairlead::json::schema_budget_test
