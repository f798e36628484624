#include <fairlead/json/codec.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

namespace fairlead::json::initialisers_test {
namespace {

using testing::HasSubstr;
using testing::Not;

enum class Order { up = 1, down };

struct Range {
  int from;
  int to = 100;
};

// Holds a string, so it is not a constant expression with every standard library.
struct Query {
  std::string text;
  int limit = 10;
  int offset = 0;
  int page;
  bool exact = false;
  double weight = 1.5;
  Order order = Order::down;
  std::string language = "en";
  std::vector<std::string> tags = {"a"};
  Range range = {.from = 1};
  std::optional<int> year = 1999;
  std::optional<int> month;
};

struct Numbers {
  int first;
  int second = 0;
  Doc<int, "The third."> third;
  Doc<int, "The fourth."> fourth = {0};
  float fifth;
};

// A map is never a constant.
struct Mapped {
  std::map<std::string, int> map;
  bool flag;
  bool other = false;
  std::int64_t number;
  std::int64_t zero = 0;
};

struct Outer {
  Range inner;
  std::vector<Numbers> list;
};

struct Strict {
  static constexpr bool initialisers_are_defaults = false;
  int number = 3;
};

TEST(Initialisers, Finding_B3_SetTheDefaultOfAbsentMembers) {
  const auto query = decode<Query>(R"({"text":"x","page":3})");
  ASSERT_TRUE(query) << query.error().message;
  EXPECT_EQ(query->limit, 10);
  EXPECT_EQ(query->offset, 0);
  EXPECT_FALSE(query->exact);
  EXPECT_EQ(query->weight, 1.5);
  EXPECT_EQ(query->order, Order::down);
  EXPECT_EQ(query->language, "en");
  EXPECT_EQ(query->tags, std::vector<std::string>{"a"});
  EXPECT_EQ(query->range.to, 100);
  EXPECT_EQ(query->year, 1999);
}

TEST(Initialisers, Finding_B3_MembersWithoutOneStayRequired) {
  EXPECT_EQ(decode<Query>(R"({"text":"x"})").error().message, "page: is required");
  EXPECT_EQ(decode<Query>(R"({"page":1})").error().message, "text: is required");
  EXPECT_EQ(decode<Query>(R"({"text":"x","page":1,"range":{}})").error().message, "range.from: is required");
}

TEST(Initialisers, Finding_B3_AreInTheSchema) {
  const auto schema = schema_of<Query>();
  EXPECT_THAT(schema, HasSubstr(R"("limit":{"type":"integer","default":10})"));
  EXPECT_THAT(schema, HasSubstr(R"("offset":{"type":"integer","default":0})"));
  EXPECT_THAT(schema, HasSubstr(R"("page":{"type":"integer"})"));
  EXPECT_THAT(schema, HasSubstr(R"("exact":{"type":"boolean","default":false})"));
  EXPECT_THAT(schema, HasSubstr(R"("order":{"type":"string","enum":["up","down"],"default":"down"})"));
  EXPECT_THAT(schema, HasSubstr(R"("language":{"type":"string","default":"en"})"));
  EXPECT_THAT(schema, HasSubstr(R"("default":["a"])"));
  EXPECT_THAT(schema, HasSubstr(R"("to":{"type":"integer","default":100}},"required":["from"],)"
                                R"("default":{"from":1,"to":100}})"));
  EXPECT_THAT(schema, HasSubstr(R"("year":{"type":"integer","default":1999})"));
  EXPECT_THAT(schema, HasSubstr(R"("month":{"type":"integer"})"));
  EXPECT_TRUE(schema.ends_with(R"(,"required":["text","page"]})")) << schema;
}

TEST(Initialisers, Finding_B3_ZeroCountsForNumbers) {
  const auto schema = schema_of<Numbers>();
  EXPECT_THAT(schema, HasSubstr(R"("second":{"type":"integer","default":0})"));
  EXPECT_THAT(schema, HasSubstr(R"("fourth":{"type":"integer","description":"The fourth.","default":0})"));
  EXPECT_TRUE(schema.ends_with(R"("required":["first","third","fifth"]})")) << schema;
}

TEST(Initialisers, Finding_B3_AreFoundBesideAMap) {
  const auto schema = schema_of<Mapped>();
  EXPECT_TRUE(schema.ends_with(R"("required":["map","flag","number"]})")) << schema;
  EXPECT_TRUE(decode<Mapped>(R"({"map":{},"flag":true,"number":1})"));
  EXPECT_EQ(decode<Mapped>(R"({"map":{},"flag":true})").error().message, "number: is required");
}

TEST(Initialisers, Finding_B3_AreFoundInNestedStructs) {
  const auto outer = decode<Outer>(R"({"inner":{"from":2},"list":[{"first":1,"third":3,"fifth":5}]})");
  ASSERT_TRUE(outer) << outer.error().message;
  EXPECT_EQ(outer->inner.to, 100);
  EXPECT_EQ(outer->list[0].second, 0);
  EXPECT_EQ(decode<Outer>(R"({"list":[]})").error().message, "inner: is required");
  EXPECT_EQ(decode<Outer>(R"({"inner":{"from":2},"list":[{}]})").error().message, "list[0].first: is required");
}

TEST(Initialisers, CanBeExcludedAsDefaults) {
  EXPECT_EQ(decode<Strict>("{}").error().message, "number: is required");
  EXPECT_THAT(schema_of<Strict>(), Not(HasSubstr("default")));
}

}  // namespace
}  // namespace fairlead::json::initialisers_test
