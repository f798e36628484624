#include <fairlead/json/codec.hpp>

#include <boost/describe.hpp>
#include <gtest/gtest.h>
#include <map>
#include <unordered_map>

#include "json/exact_text.hpp"

namespace fairlead::json::codec_test {
namespace {

enum class Level : std::uint8_t { debug, info, default_ };

struct Point {
  int x;
  int y;
  bool operator==(const Point&) const = default;
};

struct Everything {
  bool flag = false;
  std::int64_t integer = 0;
  std::uint8_t small = 0;
  double number = 0;
  float single = 0;
  std::string text = {};
  Level level = Level::debug;
  std::vector<Point> points = {};
  std::array<int, 2> pair = {};
  std::map<std::string, int> map = {};
  std::unordered_map<std::string, Point> places = {};
  std::optional<std::string> maybe = {};
  std::optional<Payload> any = {};
  Payload payload = {};
  std::nullptr_t nothing = nullptr;
  Doc<int, "How many."> documented = {};
  std::vector<bool> bits = {};
  std::vector<std::optional<int>> holes = {};

  bool operator==(const Everything&) const = default;
};

const std::string everything =
    R"({"flag":true,"integer":-5,"small":255,"number":0.1,"single":0.1,"text":"é\n","level":"default",)"
    R"("points":[{"x":1,"y":2},{"x":3,"y":4}],"pair":[5,6],"map":{"a":1,"b\"":2},"places":{"p":{"x":0,"y":0}},)"
    R"("maybe":"m","any":null,"payload":[ 1, 2.50 ],"nothing":null,"documented":3,"bits":[true,false],"holes":[1,null]})";

struct Nested {
  std::vector<Point> tools = {};
  std::map<std::string, std::vector<Point>> byName = {};
  std::optional<Point> one = {};
};

struct WithExtra {
  int known = 0;
  Extra rest = {};
  std::optional<int> maybe = {};
};

struct Empty {};

struct Tree {
  std::string name;
  std::vector<Tree> children = {};
  bool operator==(const Tree&) const = default;
};

template <class T>
std::string error_of(std::string_view text) {
  const ExactText exact(text);
  const auto value = decode<T>(exact.view());
  if (value) return "no error";
  EXPECT_EQ(value.error().kind, ErrorKind::malformed);
  return value.error().message;
}

TEST(Codec, ReadsAndWritesEveryKindOfMember) {
  const auto value = decode<Everything>(ExactText(everything).view());
  ASSERT_TRUE(value) << value.error().message;
  EXPECT_EQ(value->integer, -5);
  EXPECT_EQ(value->small, 255);
  EXPECT_EQ(value->level, Level::default_);
  EXPECT_EQ(value->points[1].y, 4);
  EXPECT_EQ(value->map.at("b\""), 2);
  EXPECT_EQ(value->any->text(), "null");
  EXPECT_EQ(value->payload.text(), "[ 1, 2.50 ]");
  EXPECT_EQ(*value->documented, 3);
  EXPECT_EQ(encode(*value), everything);
  EXPECT_EQ(decode<Everything>(encode(*value)), *value);
}

TEST(Codec, ReadsMembersInAnyOrderAndWithAnyWhiteSpace) {
  EXPECT_EQ(decode<Point>(" { \"y\" :\n2 ,\t\"x\": 1 } "), (Point{1, 2}));
}

TEST(Codec, ReadsMembersWhoseNameIsEscaped) {
  EXPECT_EQ(decode<Point>(R"({"\u0078":1,"y":2})"), (Point{1, 2}));
}

TEST(Codec, IgnoresUnknownMembers) {
  EXPECT_EQ(decode<Point>(R"({"z":{"x":[9]},"x":1,"w":"}","y":2,"v":[[]]})"), (Point{1, 2}));
}

TEST(Codec, ReadsAnEmptyTextAsAnEmptyObject) {
  EXPECT_TRUE(decode<Empty>(""));
  EXPECT_TRUE(decode<Nested>(R"({"tools":[],"byName":{}})"));
  EXPECT_EQ(error_of<Point>(""), "x: is required");
}

TEST(Codec, OmitsAbsentOptionals) {
  EXPECT_EQ(encode(Nested{}), R"({"tools":[],"byName":{}})");
  EXPECT_EQ(encode(Nested{.one = Point{1, 2}}), R"({"tools":[],"byName":{},"one":{"x":1,"y":2}})");
}

TEST(Codec, ReadsNullAndAbsentOptionalsAsNullopt) {
  EXPECT_FALSE(decode<Nested>(R"({"tools":[],"byName":{},"one":null})")->one);
  EXPECT_FALSE(decode<Nested>(R"({"tools":[],"byName":{}})")->one);
}

TEST(Codec, WritesEmptyStructsAsEmptyObjects) {
  EXPECT_EQ(encode(Empty{}), "{}");
  EXPECT_TRUE(decode<Empty>(R"({"a":1})"));
}

TEST(Codec, ReadsAndWritesRecursiveTypes) {
  const Tree tree{"a", {{"b"}, {"c", {{"d"}}}}};
  EXPECT_EQ(
      encode(tree),
      R"({"name":"a","children":[{"name":"b","children":[]},{"name":"c","children":[{"name":"d","children":[]}]}]})");
  EXPECT_EQ(decode<Tree>(encode(tree)), tree);
}

TEST(Codec, ReadsAndWritesLocalStructs) {
  struct Local {
    int local_name = 0;
  };
  EXPECT_EQ(encode(Local{7}), R"({"local_name":7})");
  EXPECT_EQ(decode<Local>(R"({"local_name":7})")->local_name, 7);
}

TEST(Codec, KeepsUnknownMembersInExtra) {
  const auto value =
      decode<WithExtra>(R"({"z":[ 1 ],"known":1,"q\"":{"a":1},"n":123456789012345678901234567890,"\u0041":null})");
  ASSERT_TRUE(value);
  EXPECT_EQ(value->rest.members.size(), 4u);
  EXPECT_EQ(encode(*value), R"({"known":1,"z":[ 1 ],"q\"":{"a":1},"n":123456789012345678901234567890,"A":null})");
}

TEST(Codec, WritesAnEmptyPayloadAsNull) {
  EXPECT_EQ(encode(Payload()), "null");
  EXPECT_EQ(encode(WithExtra{.rest = {{{"a", Payload()}}}}), R"({"known":0,"a":null})");
}

TEST(Codec, ErrorsContainPathAndReason) {
  EXPECT_EQ(error_of<Point>("[]"), "expected an object, got an array");
  EXPECT_EQ(error_of<Point>(R"({"x":1})"), "y: is required");
  EXPECT_EQ(error_of<Point>(R"({"x":"1","y":2})"), "x: expected an integer, got a string");
  EXPECT_EQ(error_of<Nested>(R"({"tools":[{"x":1,"y":2},{"x":null}],"byName":{}})"),
            "tools[1].x: expected an integer, got null");
  EXPECT_EQ(error_of<Nested>(R"({"tools":[],"byName":{"a":[{"x":1}]}})"), "byName.a[0].y: is required");
  EXPECT_EQ(error_of<Nested>(R"({"tools":[],"byName":{},"one":7})"), "one: expected an object, got a number");
  EXPECT_EQ(error_of<Nested>(R"({"tools":{},"byName":{}})"), "tools: expected an array, got an object");
  EXPECT_EQ(error_of<std::vector<std::vector<int>>>("[[1],[2,true]]"), "[1][1]: expected an integer, got a boolean");
  EXPECT_EQ(error_of<std::vector<Point>>(R"([{"x":1,"y":2},3])"), "[1]: expected an object, got a number");
  EXPECT_EQ(error_of<Tree>(R"({"name":"a","children":[{"name":"b","children":[{"children":[]}]}]})"),
            "children[0].children[0].name: is required");
}

TEST(Codec, RefusesDuplicateNames) {
  EXPECT_EQ(error_of<Point>(R"({"x":1,"x":1,"y":2})"), "x: the name appears twice");
  EXPECT_EQ(error_of<Point>(R"({"x":1,"\u0078":1,"y":2})"), "x: the name appears twice");
  EXPECT_EQ((error_of<std::map<std::string, int>>(R"({"a":1,"a":2})")), "a: the name appears twice");
}

TEST(Codec, RefusesUnknownEnumerators) {
  EXPECT_EQ(error_of<Level>(R"("warn")"), R"(expected one of "debug", "info", "default", got "warn")");
  EXPECT_EQ(error_of<Level>("1"), "expected a string, got a number");
  EXPECT_EQ(error_of<Level>(R"("default_")"), R"(expected one of "debug", "info", "default", got "default_")");
}

TEST(Codec, RequiresTheExactNumberOfArrayElements) {
  EXPECT_EQ((error_of<std::array<int, 2>>("[1]")), "expected 2 elements, got 1");
  EXPECT_EQ((error_of<std::array<int, 2>>("[1,2,3]")), "expected 2 elements, got 3");
  EXPECT_EQ((error_of<std::array<int, 2>>("[1,\"\"]")), "[1]: expected an integer, got a string");
  EXPECT_TRUE((decode<std::array<bool, 2>>("[true,false]")));
}

TEST(Codec, ReadsScalarsAtTheTop) {
  EXPECT_EQ(decode<std::string>("\"a\""), "a");
  EXPECT_EQ(decode<bool>("true"), true);
  EXPECT_FALSE(*decode<std::optional<int>>("null"));
  EXPECT_TRUE(decode<std::nullptr_t>("null"));
  EXPECT_EQ(error_of<std::nullptr_t>("0"), "expected null, got a number");
}

TEST(Codec, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(encode(std::string("a\xFF")), "\"a\uFFFD\"");
  EXPECT_EQ((encode(std::map<std::string, int>{{"\xC3", 1}})), "{\"\uFFFD\":1}");
}

}  // namespace
}  // namespace fairlead::json::codec_test
