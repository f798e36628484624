#include <fairlead/json/object_edit.hpp>

#include <boost/json.hpp>
#include <gtest/gtest.h>

namespace fairlead::json::object_edit_test {
namespace {

TEST(ObjectEdit, KeepsTheBytesOfUnchangedValues) {
  ObjectEdit edit(R"({ "a" : 1.50e+3 , "b":[ 1, {"x":  "\u0041"} ], "c":123456789012345678901234567890 })");
  edit.set("d", "true");
  EXPECT_EQ(edit.text(), R"({"a":1.50e+3 , "b":[ 1, {"x":  "\u0041"} ], "c":123456789012345678901234567890,"d":true})");
}

TEST(ObjectEdit, ReplacesAMemberAtItsPosition) {
  EXPECT_EQ(ObjectEdit(R"({"a":1,"b":2,"c":3})").set("b", "[]").text(), R"({"a":1,"b":[],"c":3})");
}

TEST(ObjectEdit, CopiesAdjacentMembersWithTheTextBetweenThem) {
  const std::string text = R"({ "a" : [1, 2] , "b":2,"\u0063":3 ,"d" : {"e": 4},"f":5 })";
  EXPECT_EQ(ObjectEdit(text).set("z", "6").text(), R"({"a":[1, 2] , "b":2,"c":3,"d":{"e": 4},"f":5,"z":6})");
  EXPECT_EQ(ObjectEdit(text).erase("b").text(), R"({"a":[1, 2],"c":3,"d":{"e": 4},"f":5})");
  EXPECT_EQ(ObjectEdit(text).set("d", "0").text(), R"({"a":[1, 2] , "b":2,"c":3,"d":0,"f":5})");
  EXPECT_EQ(ObjectEdit(text).erase("a").erase("f").text(), R"({"b":2,"c":3,"d":{"e": 4}})");
}

TEST(ObjectEdit, ErasesEveryMemberOfAName) {
  EXPECT_EQ(ObjectEdit(R"({"a":1,"b":2,"a":3})").erase("a").text(), R"({"b":2})");
  EXPECT_EQ(ObjectEdit(R"({"a":1})").erase("a").text(), "{}");
}

TEST(ObjectEdit, FindsMembersByTheirUnescapedName) {
  ObjectEdit edit(R"({"\u0061":1,"q\"":2})");
  EXPECT_EQ(edit.get("a"), "1");
  EXPECT_EQ(edit.get("q\""), "2");
  EXPECT_EQ(edit.set("a", "5").text(), R"({"a":5,"q\"":2})");
}

TEST(ObjectEdit, GetReturnsSetValues) {
  ObjectEdit edit("{}");
  EXPECT_TRUE(edit.get("a").empty());
  EXPECT_EQ(edit.set("a", "1").get("a"), "1");
  EXPECT_EQ(edit.set("a", "2").get("a"), "2");
  EXPECT_TRUE(edit.erase("a").get("a").empty());
}

TEST(ObjectEdit, StartsFromAnEmptyObjectOtherwise) {
  for (const char* text : {"", "[1]", "null", "7", "{}", "{ }"}) {
    ObjectEdit edit(text);
    EXPECT_TRUE(edit.empty()) << text;
    EXPECT_EQ(edit.set("a", "1").text(), R"({"a":1})") << text;
  }
}

TEST(MemberOf, FindsOneMemberByItsName) {
  constexpr std::string_view text = R"( {"a": {"b":1}, "b" : [2 ,3],"é\u0041":4} )";
  EXPECT_EQ(member_of(text, "a"), R"({"b":1})");
  EXPECT_EQ(member_of(text, "b"), "[2 ,3]");
  EXPECT_EQ(member_of(text, "éA"), "4");
  EXPECT_EQ(member_of(text, "c"), "");
  for (const char* other : {"", "[1]", "7", "{}"}) EXPECT_EQ(member_of(other, "a"), "") << other;
}

// The position of a member's value.
Span place_of(std::string_view text, std::string_view name) {
  const auto value = member_of(text, name);
  return {static_cast<std::size_t>(value.data() - text.data()), value.size()};
}

std::string without_member(const std::string& text, Span value) {
  auto payload = Payload::trusted(text);
  erase_member(payload, value);
  return std::string(payload.text());
}

TEST(EraseMember, RemovesOneComma) {
  const std::string text = R"({ "a" : 1 , "b":{"c":[2,"}"]} ,"d":"x,y" })";
  EXPECT_EQ(without_member(text, place_of(text, "a")), R"({  "b":{"c":[2,"}"]} ,"d":"x,y" })");
  EXPECT_EQ(without_member(text, place_of(text, "b")), R"({ "a" : 1 , "d":"x,y" })");
  EXPECT_EQ(without_member(text, place_of(text, "d")), R"({ "a" : 1 , "b":{"c":[2,"}"]} })");
  EXPECT_EQ(without_member(R"({"a":1})", place_of(R"({"a":1})", "a")), "{}");
}

TEST(EraseMember, HandlesEscapedNames) {
  const std::string text = R"({"a":1,"_\u006deta":{"x":2}})";
  EXPECT_EQ(without_member(text, place_of(text, "_meta")), R"({"a":1})");
}

TEST(EraseMember, ChangesAPayloadInPlaceAndDropsTheParsedValue) {
  const std::string message = R"({"id":1,"result":{"a":1,"b":[2]}})";
  auto payload = Payload::slice(message, place_of(message, "result"));
  EXPECT_EQ(payload.value().as_object().size(), 2u);
  erase_member(payload, place_of(payload.text(), "a"));
  EXPECT_EQ(payload.text(), R"({"b":[2]})");
  EXPECT_EQ(payload.value().as_object().size(), 1u);
}

TEST(WithMember, AppendsAMember) {
  EXPECT_EQ(with_member(R"({"a":1})", "b", "[2]"), R"({"a":1,"b":[2]})");
  for (const char* none : {"", "{}", "[1]", "null"}) EXPECT_EQ(with_member(none, "b", "2"), R"({"b":2})") << none;
  EXPECT_EQ(with_member("{ }", "b", "2"), R"({ "b":2})");
}

TEST(ObjectEdit, ReportsWhetherItChanged) {
  ObjectEdit edit(R"({"a":1})");
  EXPECT_FALSE(edit.changed());
  EXPECT_FALSE(edit.erase("b").changed());
  EXPECT_TRUE(edit.erase("a").changed());
  EXPECT_TRUE(ObjectEdit("{}").set("a", "1").changed());
}

}  // namespace
}  // namespace fairlead::json::object_edit_test
