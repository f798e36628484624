#include <boost/json.hpp>
#include <fairlead/json/schema.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

namespace fairlead::json::schema_dialect_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string refusal(std::string_view schema, const SchemaOptions& options = {}) {
  const auto compiled = Schema::compile(schema, options);
  return compiled ? "compiles" : compiled.error().message;
}

bool accepts(std::string_view schema, std::string_view instance, const SchemaOptions& options = {}) {
  const auto compiled = Schema::compile(schema, options);
  EXPECT_TRUE(compiled) << compiled.error().message;
  return compiled && compiled->validate(instance).empty();
}

SchemaOptions serving(std::map<std::string, std::string, std::less<>> documents) {
  return {.resolve = [documents = std::move(documents)](std::string_view uri) -> std::optional<std::string> {
    const auto found = documents.find(uri);
    return found == documents.end() ? std::nullopt : std::optional(found->second);
  }};
}

TEST(SchemaDialect, RefusesOtherDialectsAndNamesTheSupportedOnes) {
  for (const auto* uri : {"https://json-schema.org/draft/2019-09/schema", "http://json-schema.org/draft-04/schema#",
                          "http://json-schema.org/draft-06/schema#", "https://json-schema.org/draft/next/schema",
                          "http://example.com/mine"}) {
    EXPECT_THAT(refusal(R"({"$schema":")" + std::string(uri) + "\"}"),
                AllOf(HasSubstr("#/$schema: "), HasSubstr(uri), HasSubstr("draft/2020-12/schema"),
                      HasSubstr("draft-07/schema#")));
  }
}

TEST(SchemaDialect, UsesDraft2020_12ByDefault) {
  EXPECT_FALSE(accepts(R"({"prefixItems":[{"type":"string"}]})", "[1]"));
}

TEST(SchemaDialect, UsesDraft7IfDeclared) {
  constexpr auto tuple = R"({"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"}],
                             "additionalItems":false,"prefixItems":[false]})";
  EXPECT_TRUE(accepts(tuple, R"(["a"])"));
  EXPECT_FALSE(accepts(tuple, R"(["a",1])"));
}

TEST(SchemaDialect, RefOverridesItsSiblingsInDraft7Only) {
  constexpr std::string_view rest = R"("$ref":"#/definitions/a","type":"string","definitions":{"a":true}})";
  EXPECT_TRUE(accepts(R"({"$schema":"http://json-schema.org/draft-07/schema#",)" + std::string(rest), "1"));
  EXPECT_FALSE(accepts("{" + std::string(rest), "1"));
}

TEST(SchemaDialect, AllowsAnotherDialectInAnEmbeddedResource) {
  constexpr auto schema = R"({"properties":{"tuple":{"$id":"old","$schema":"http://json-schema.org/draft-07/schema#",
                              "items":[{"type":"integer"}]}},"prefixItems":[{"type":"string"}]})";
  EXPECT_TRUE(accepts(schema, R"({"tuple":[1]})"));
  EXPECT_FALSE(accepts(schema, R"({"tuple":["a"]})"));
  EXPECT_FALSE(accepts(schema, "[1]"));
}

TEST(SchemaDialect, ReferredDocumentsInheritTheDialect) {
  const auto options = serving({{"tuple", R"({"items":[{"type":"string"}]})"}});
  EXPECT_FALSE(accepts(R"({"$schema":"http://json-schema.org/draft-07/schema#","$ref":"tuple"})", "[1]", options));
}

TEST(SchemaDialect, OmitsVocabulariesThatTheMetaschemaOmits) {
  const auto options = serving({{"http://x/meta", R"({"$schema":"https://json-schema.org/draft/2020-12/schema",
      "$vocabulary":{"https://json-schema.org/draft/2020-12/vocab/applicator":true}})"}});
  EXPECT_TRUE(accepts(R"({"$schema":"http://x/meta","properties":{"a":{"type":"string"}}})", R"({"a":1})", options));
  EXPECT_FALSE(accepts(R"({"$schema":"http://x/meta","properties":{"a":false}})", R"({"a":1})", options));
}

TEST(SchemaDialect, RefusesAMetaschemaThatRequiresAnUnknownVocabulary) {
  const auto options = serving({{"http://x/meta", R"({"$vocabulary":{"http://x/vocabulary":true}})"}});
  EXPECT_THAT(refusal(R"({"$schema":"http://x/meta"})", options), HasSubstr("http://x/vocabulary"));
}

TEST(SchemaDialect, RefusesAMetaschemaOfAnUnsupportedDialect) {
  const auto options = serving({{"http://x/meta", R"({"$schema":"https://json-schema.org/draft/2019-09/schema"})"}});
  EXPECT_THAT(refusal(R"({"$schema":"http://x/meta"})", options), HasSubstr("2019-09"));
}

TEST(SchemaDialect, StopsAnEndlessChainOfMetaschemas) {
  const auto options = serving({{"http://x/meta", R"({"$schema":"http://x/meta"})"}});
  EXPECT_THAT(refusal(R"({"$schema":"http://x/meta"})", options), HasSubstr("is not known"));
}

TEST(SchemaDialect, ValidatesFormatsByVocabularyOrOption) {
  constexpr auto plain = R"({"format":"ipv4"})";
  const auto options = serving(
      {{"http://x/meta", R"({"$vocabulary":{"https://json-schema.org/draft/2020-12/vocab/format-assertion":true}})"}});
  EXPECT_TRUE(accepts(plain, R"("x")"));
  EXPECT_FALSE(accepts(plain, R"("x")", {.assert_formats = true}));
  EXPECT_FALSE(accepts(R"({"$schema":"http://x/meta","format":"ipv4"})", R"("x")", options));
}

TEST(SchemaReference, IsNeverFetchedFromTheNetwork) {
  EXPECT_THAT(
      refusal(R"({"properties":{"a":{"$ref":"http://example.com/a.json#/x"}}})"),
      AllOf(HasSubstr("#/properties/a/$ref: "), HasSubstr("\"http://example.com/a.json\""), HasSubstr("network")));
}

TEST(SchemaReference, AsksTheResolverForTheDocumentWithoutItsFragment) {
  std::vector<std::string> resolved;
  const SchemaOptions options{.resolve = [&](std::string_view uri) -> std::optional<std::string> {
    resolved.emplace_back(uri);
    return R"({"$defs":{"b":{"type":"string"}}})";
  }};
  EXPECT_FALSE(accepts(R"({"$id":"http://x/dir/main","$ref":"../a.json#/$defs/b"})", "1", options));
  EXPECT_EQ(resolved, std::vector<std::string>{"http://x/a.json"});
}

TEST(SchemaReference, ReachesTheMetaschemasWithoutAResolver) {
  constexpr auto modern = R"({"$ref":"https://json-schema.org/draft/2020-12/schema"})";
  EXPECT_TRUE(accepts(modern, R"({"type":"object","properties":{"a":{"minLength":2}}})"));
  EXPECT_FALSE(accepts(modern, R"({"properties":{"a":{"minLength":-2}}})"));
  constexpr auto old = R"({"$ref":"http://json-schema.org/draft-07/schema#"})";
  EXPECT_TRUE(accepts(old, R"({"items":[{"type":"string"}]})"));
  EXPECT_FALSE(accepts(old, R"({"items":[{"type":"text"}]})"));
}

TEST(SchemaCompile, ErrorsContainTheJsonPointer) {
  EXPECT_THAT(refusal(R"({"properties":{"a/b":{"minLength":"2"}}})"),
              HasSubstr("#/properties/a~1b/minLength: must be an integer"));
  EXPECT_THAT(refusal(R"({"items":{"type":"text"}})"), HasSubstr("#/items/type: \"text\" is not a type"));
  EXPECT_THAT(refusal(R"({"allOf":[true,3]})"), HasSubstr("#/allOf/1: must be a schema"));
  EXPECT_THAT(refusal(R"({"$defs":{"unused":{"required":"a"}}})"), HasSubstr("#/$defs/unused/required: "));
  EXPECT_THAT(refusal(R"({"$ref":"#/nowhere"})"), HasSubstr("#/$ref: there is nothing at \"#/nowhere\""));
  EXPECT_THAT(refusal(R"({"$ref":"#nowhere"})"), HasSubstr("no anchor \"nowhere\""));
  EXPECT_THAT(refusal(R"({"$id":"http://x/#a"})"), HasSubstr("#/$id: must not have a fragment"));
  EXPECT_THAT(refusal(R"({"$defs":{"a":{"$anchor":"x"},"b":{"$anchor":"x"}}})"), HasSubstr("is already used"));
  EXPECT_THAT(refusal(R"({"$defs":{"a":{"$id":"http://x/"},"b":{"$id":"http://x/"}}})"), HasSubstr("already"));
  EXPECT_THAT(refusal(R"({"multipleOf":0})"), HasSubstr("#/multipleOf: must be greater than 0"));
  EXPECT_THAT(refusal("[]"), HasSubstr("a schema is an object or a boolean, not an array"));
}

TEST(SchemaCompile, ReportsInvalidJsonAsMalformed) {
  const auto schema = Schema::compile("{");
  ASSERT_FALSE(schema);
  EXPECT_EQ(schema.error().kind, ErrorKind::malformed);
}

}  // namespace
}  // namespace fairlead::json::schema_dialect_test
