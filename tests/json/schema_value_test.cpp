#include <boost/json.hpp>
#include <fairlead/json/schema.hpp>
#include <gtest/gtest.h>
#include <thread>

#include "json/schema/equality.hpp"
#include "json/schema/number.hpp"

namespace fairlead::json::schema_value_test {
namespace {

bool accepts(std::string_view schema, std::string_view instance) {
  const auto compiled = Schema::compile(schema);
  EXPECT_TRUE(compiled) << compiled.error().message;
  return compiled && compiled->validate(instance).empty();
}

TEST(SchemaNumber, DividesDecimalsExactly) {
  EXPECT_TRUE(accepts(R"({"multipleOf":0.01})", "4.35"));
  EXPECT_TRUE(accepts(R"({"multipleOf":0.01})", "1.1"));
  EXPECT_TRUE(accepts(R"({"multipleOf":0.0001})", "0.0075"));
  EXPECT_FALSE(accepts(R"({"multipleOf":0.0001})", "0.00751"));
  EXPECT_TRUE(accepts(R"({"multipleOf":2.5})", "-7.5"));
  EXPECT_TRUE(accepts(R"({"multipleOf":0.3})", "0"));
}

TEST(SchemaNumber, DividesHugeNumbersExactly) {
  EXPECT_TRUE(accepts(R"({"multipleOf":5})", "18446744073709551615"));
  EXPECT_FALSE(accepts(R"({"multipleOf":2})", "18446744073709551615"));
  EXPECT_FALSE(accepts(R"({"multipleOf":10})", "-9223372036854775808"));
  EXPECT_TRUE(accepts(R"({"multipleOf":0.5})", "1e308"));
  EXPECT_FALSE(accepts(R"({"multipleOf":0.123456789})", "1e308"));
  EXPECT_FALSE(accepts(R"({"multipleOf":1e308})", "1"));
}

TEST(SchemaNumber, ComparesWithoutRounding) {
  EXPECT_FALSE(accepts(R"({"maximum":9007199254740992.0})", "9007199254740993"));
  EXPECT_FALSE(accepts(R"({"minimum":-9223372036854775807})", "-9223372036854775808"));
  EXPECT_FALSE(accepts(R"({"maximum":18446744073709551614})", "18446744073709551615"));
  EXPECT_TRUE(accepts(R"({"exclusiveMaximum":1e30})", "18446744073709551615"));
  EXPECT_FALSE(accepts(R"({"minimum":3})", "2.999"));
  EXPECT_TRUE(accepts(R"({"maximum":-0.5})", "-1"));
}

TEST(SchemaNumber, RoundsALongNumberToTheNearestDouble) {
  const auto schema = Schema::compile(R"({"const":9.727837981879871e+26})");
  ASSERT_TRUE(schema);
  EXPECT_TRUE(schema->accepts(9.727837981879871e+26));
}

TEST(SchemaEquality, ComparesNumbersByValueAndObjectsWithoutOrder) {
  EXPECT_TRUE(accepts(R"({"const":{"a":[1,{"b":2.0}],"c":null}})", R"({"c":null,"a":[1.0,{"b":2}]})"));
  EXPECT_FALSE(accepts(R"({"const":[false]})", "[0]"));
  EXPECT_FALSE(accepts(R"({"const":18446744073709551615})", "18446744073709551616"));
}

TEST(SchemaEquality, EqualValuesHaveEqualHashes) {
  const auto hash = [](std::string_view text) {
    return schema::hash_of(boost::json::parse(boost::json::string_view(text.data(), text.size())));
  };
  EXPECT_EQ(hash("1"), hash("1.0"));
  EXPECT_EQ(hash("0"), hash("-0.0"));
  EXPECT_EQ(hash(R"({"a":1,"b":[2]})"), hash(R"({"b":[2.0],"a":1})"));
  EXPECT_NE(hash("[1,2]"), hash("[2,1]"));
  EXPECT_NE(hash("false"), hash("0"));
}

TEST(SchemaEquality, SearchesALongEnum) {
  std::string text = R"({"enum":[0)";
  for (int i = 1; i < 100; ++i) text += ",\"v" + std::to_string(i) + "\"";
  EXPECT_TRUE(accepts(text + "]}", "\"v99\""));
  EXPECT_TRUE(accepts(text + "]}", "0.0"));
  EXPECT_FALSE(accepts(text + "]}", "\"v100\""));
}

TEST(SchemaString, CountsCharactersNotBytes) {
  EXPECT_TRUE(accepts(R"({"minLength":2,"maxLength":2})", R"("💩ä")"));
  EXPECT_FALSE(accepts(R"({"maxLength":1})", R"("💩ä")"));
  EXPECT_FALSE(accepts(R"({"minLength":3})", R"("💩ä")"));
}

TEST(SchemaThreads, ShareOneProgram) {
  const auto schema = Schema::compile(R"({"$id":"http://x/tree","$dynamicAnchor":"node","type":"object",
    "properties":{"name":{"type":"string","pattern":"^[a-z\\p{L}]+$","format":"idn-hostname"},
                  "next":{"$dynamicRef":"#node"},"tags":{"uniqueItems":true}},
    "unevaluatedProperties":false})",
                                      {.assert_formats = true});
  ASSERT_TRUE(schema);
  const auto good =
      boost::json::parse(R"({"name":"b\u00fccher","next":{"name":"a","tags":[1,2,3,4,5,6,7,8,9,10,11,12,13,14]}})");
  const auto bad = boost::json::parse(R"({"name":"b2","next":{"nmae":"a"}})");
  std::vector<std::thread> threads;
  std::array<int, 4> right{};
  for (auto& count : right) {
    threads.emplace_back([&, copy = *schema] {
      for (int i = 0; i < 100; ++i)
        count += copy.accepts(good) && schema->validate(good).empty() && schema->validate(bad).size() == 2;
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto count : right) EXPECT_EQ(count, 100);
}

}  // namespace
}  // namespace fairlead::json::schema_value_test
