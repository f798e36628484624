#include <array>
#include <fairlead/json/scan.hpp>
#include <gtest/gtest.h>

#include "json/exact_text.hpp"

namespace fairlead::json::member_index_test {
namespace {

constexpr std::array<std::string_view, 2> names = {"params", "_meta"};

/// A scanned text and its index.
struct IndexedScan {
  explicit IndexedScan(std::string_view from)
      : text(from), error(scan(text.view(), {.indexed_names = names}, &index)) {}

  /// The JSON text under a path of names, or "-" if there is none.
  std::string_view at(std::initializer_list<std::string_view> path) const {
    std::uint32_t parent = MemberIndex::root;
    const MemberIndex::Member* found = nullptr;
    for (const auto name : path) {
      found = index.find(text.view(), name, parent);
      if (!found) return "-";
      parent = index.index_of(*found);
    }
    return found->value.in(text.view());
  }

  ExactText text;
  MemberIndex index;
  ScanError error;
};

TEST(MemberIndex, ListsTheOutermostMembers) {
  const IndexedScan message(R"({"a":1,"b":"x","c":[1,{"a":2}],"d":{"e":3}})");
  ASSERT_FALSE(message.error);
  EXPECT_EQ(message.index.members.size(), 4u);
  EXPECT_EQ(message.at({"a"}), "1");
  EXPECT_EQ(message.at({"b"}), "\"x\"");
  EXPECT_EQ(message.at({"c"}), R"([1,{"a":2}])");
  EXPECT_EQ(message.at({"d"}), R"({"e":3})");
  EXPECT_EQ(message.at({"e"}), "-");
}

TEST(MemberIndex, ListsTheMembersOfNamedMembers) {
  const IndexedScan message(R"({"x":0,"params":{"y":1,"_meta":{"z":2},"w":3},"v":4})");
  ASSERT_FALSE(message.error);
  EXPECT_EQ(message.at({"params", "y"}), "1");
  EXPECT_EQ(message.at({"params", "_meta"}), R"({"z":2})");
  EXPECT_EQ(message.at({"params", "_meta", "z"}), "2");
  EXPECT_EQ(message.at({"params", "w"}), "3");
  EXPECT_EQ(message.at({"v"}), "4");
}

TEST(MemberIndex, DoesNotReachANamedMemberThroughAnUnnamedOne) {
  const IndexedScan message(R"({"x":{"params":{"y":1}},"z":[{"params":{"y":1}}]})");
  ASSERT_FALSE(message.error);
  EXPECT_EQ(message.index.members.size(), 2u);
}

TEST(MemberIndex, IsEmptyForAnArray) {
  const IndexedScan message(R"([{"params":{"y":1}},{"a":1,"a":2}])");
  ASSERT_FALSE(message.error);
  EXPECT_TRUE(message.index.members.empty());
}

TEST(MemberIndex, TrimsAnyWhiteSpaceAroundValues) {
  const IndexedScan message(
      " \n{ \t\"a\"\r:\n 1 \t,\"b\" : \"x\" \r\n, \"params\" : { \n } \t, \"_meta\":\t{ \"k\" :\ttrue\n}\r,\"c\" :[ 1 "
      ", 2 ] } \n");
  ASSERT_FALSE(message.error);
  EXPECT_EQ(message.at({"a"}), "1");
  EXPECT_EQ(message.at({"b"}), "\"x\"");
  EXPECT_EQ(message.at({"params"}), "{ \n }");
  EXPECT_EQ(message.at({"_meta"}), "{ \"k\" :\ttrue\n}");
  EXPECT_EQ(message.at({"_meta", "k"}), "true");
  EXPECT_EQ(message.at({"c"}), "[ 1 , 2 ]");
  EXPECT_EQ(message.index.members[0].key.in(message.text.view()), "a");
}

TEST(MemberIndex, HandlesEmptyObjects) {
  for (const char* text :
       {R"({"params":{},"a":1,"_meta":{}})", R"({"a":1,"params":{"_meta":{}}})", R"({"a":1,"params":{}})",
        R"({"params":{"b":2,"_meta":{}},"a":1})", R"({"params":{"_meta":{},"b":2},"a":1})"}) {
    const IndexedScan message(text);
    ASSERT_FALSE(message.error) << text;
    EXPECT_EQ(message.at({"a"}), "1") << text;
    if (message.at({"params", "b"}) != "-") {
      EXPECT_EQ(message.at({"params", "b"}), "2") << text;
    }
  }
  EXPECT_EQ(IndexedScan("{}").error.code, ScanErrorCode::none);
  EXPECT_TRUE(IndexedScan("{ }").index.members.empty());
}

TEST(MemberIndex, HandlesNamedMembersThatAreNotObjects) {
  for (const char* value : {"1", "[]", "[{\"b\":1}]", "null", "\"{\""}) {
    const IndexedScan message(std::string(R"({"params":)") + value + R"(,"a":{"params":{"b":1}}})");
    ASSERT_FALSE(message.error) << value;
    EXPECT_EQ(message.at({"params"}), value);
    EXPECT_EQ(message.at({"params", "b"}), "-");
    EXPECT_EQ(message.index.members.size(), 2u);
  }
}

TEST(MemberIndex, StopsAtThreeLevels) {
  const IndexedScan message(R"({"_meta":{"_meta":{"_meta":{"a":1,"a":2}}}})");
  ASSERT_FALSE(message.error);
  EXPECT_EQ(message.at({"_meta", "_meta", "_meta"}), R"({"a":1,"a":2})");
  EXPECT_EQ(message.at({"_meta", "_meta", "_meta", "a"}), "-");
}

TEST(MemberIndex, FindsEscapedKeys) {
  const IndexedScan message(R"({"\u0061":1,"\u0070arams":{"n\u0061me":2,"\u005fmeta":{"x":3}},"q\"\\":4})");
  ASSERT_FALSE(message.error);
  EXPECT_EQ(message.at({"a"}), "1");
  EXPECT_EQ(message.at({"params", "name"}), "2");
  EXPECT_EQ(message.at({"params", "_meta", "x"}), "3");
  EXPECT_EQ(message.at({"q\"\\"}), "4");
}

TEST(MemberIndex, DistinguishesEscapedKeysFromEscapedValues) {
  const IndexedScan message(R"({"a":"\n","b":"x","c\t":"y"})");
  ASSERT_FALSE(message.error);
  EXPECT_FALSE(message.index.members[0].escaped);
  EXPECT_FALSE(message.index.members[1].escaped);
  EXPECT_TRUE(message.index.members[2].escaped);
}

TEST(MemberIndex, RefusesDuplicateNames) {
  for (const char* text :
       {R"({"a":1,"a":2})", R"({"a":1,"b":2,"a":3})", R"({"params":{"x":1,"x":2}})", R"({"params":{},"params":{}})",
        R"({"params":{"_meta":{"k":1,"k":1}}})", R"({"a":1,"\u0061":2})", R"({"params":1,"p\u0061rams":2})",
        R"({"params":{},"p\u0061rams":{}})", R"({"a\n":1,"a\u000a":2})", R"({"":1,"":2})", R"({"/":1,"\/":2})",
        R"({"\ud83d\ude00":1,"😀":2})"}) {
    EXPECT_EQ(IndexedScan(text).error.code, ScanErrorCode::duplicate_key) << text;
  }
}

TEST(MemberIndex, AllowsTheSameNameInDifferentObjects) {
  EXPECT_FALSE(IndexedScan(R"({"a":1,"params":{"a":1,"_meta":{"a":1}},"_meta":{"a":1},"b":{"a":1,"a":2}})").error);
}

TEST(MemberIndex, FindsADuplicateAmongManyNames) {
  std::string text = "{";
  for (int i = 0; i < 1000; ++i) text += "\"k" + std::to_string(i) + "\":1,";
  EXPECT_FALSE(IndexedScan(text + "\"k1000\":1}").error);
  EXPECT_EQ(IndexedScan(text + "\"k500\":1}").error.code, ScanErrorCode::duplicate_key);
  EXPECT_EQ(IndexedScan(text + "\"\\u006b500\":1}").error.code, ScanErrorCode::duplicate_key);
}

TEST(MemberIndex, ReusesItsMemoryForTheNextText) {
  MemberIndex index;
  ASSERT_FALSE(scan(R"({"a":1,"b":2})", {}, &index));
  ASSERT_FALSE(scan(R"({"c":3})", {}, &index));
  EXPECT_EQ(index.members.size(), 1u);
  EXPECT_TRUE(scan("", {}, &index));
  EXPECT_TRUE(index.members.empty());
}

TEST(MemberIndex, ReleasesTheMemoryOfAHugeText) {
  std::string text = "{\"a\":0";
  for (int i = 0; i < 10'000; ++i) text += ",\"k" + std::to_string(i) + "\":1";
  MemberIndex index;
  ASSERT_FALSE(scan(text + "}", {}, &index));
  ASSERT_FALSE(scan("{\"a\":0}", {}, &index));
  EXPECT_LT(index.members.capacity(), 1000u);
}

}  // namespace
}  // namespace fairlead::json::member_index_test
