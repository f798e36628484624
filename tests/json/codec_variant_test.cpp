#include <fairlead/json/codec.hpp>
#include <gtest/gtest.h>

namespace fairlead::json::codec_variant_test {
namespace {

struct Text {
  using Tag = json::Tag<"type", "text">;
  std::string text;
  bool operator==(const Text&) const = default;
};
struct Image {
  using Tag = json::Tag<"type", "image">;
  std::string data;
  std::optional<int> width = {};
  bool operator==(const Image&) const = default;
};
struct Form {
  using Tag = json::Tag<"type", "form", TagRule::may_be_absent>;
  int fields = 0;
  bool operator==(const Form&) const = default;
};

using Content = std::variant<Text, Image>;
using OpenContent = std::variant<Text, Image, Payload>;
using Defaulted = std::variant<Text, Form>;
using Loose = std::variant<std::int64_t, std::string, std::vector<std::string>, std::nullptr_t>;

template <class T>
std::string error_of(std::string_view text) {
  const auto value = decode<T>(text);
  return value ? "no error" : value.error().message;
}

TEST(CodecVariant, SelectsTaggedStructsByTheirTag) {
  EXPECT_EQ(decode<Content>(R"({"type":"text","text":"a"})"), Content(Text{"a"}));
  EXPECT_EQ(decode<Content>(R"({"data":"x","type":"image","width":3})"), Content(Image{"x", 3}));
}

TEST(CodecVariant, WritesTheTagFirst) {
  EXPECT_EQ(encode(Content(Image{"x"})), R"({"type":"image","data":"x"})");
  EXPECT_EQ(encode(Text{"a"}), R"({"type":"text","text":"a"})");
}

TEST(CodecVariant, ErrorsListTheKnownTags) {
  EXPECT_EQ(error_of<Content>(R"({"type":"audio"})"), R"(type: expected one of "text", "image", got "audio")");
  EXPECT_EQ(error_of<Content>("{}"), R"(type: expected one of "text", "image", got nothing)");
  EXPECT_EQ(error_of<Content>(R"({"type":1})"), R"(type: expected one of "text", "image", got nothing)");
  EXPECT_EQ(error_of<Content>("[]"), "expected an object, got an array");
  EXPECT_EQ(error_of<std::vector<Content>>(R"([{"type":"text","text":"a"},{"type":"x"}])"),
            R"([1].type: expected one of "text", "image", got "x")");
}

TEST(CodecVariant, ReportsErrorsOfTheChosenAlternative) {
  EXPECT_EQ(error_of<Content>(R"({"type":"text"})"), "text: is required");
  EXPECT_EQ(error_of<Content>(R"({"type":"image","data":1})"), "data: expected a string, got a number");
}

TEST(CodecVariant, ReadsATaggedStructOnItsOwn) {
  EXPECT_EQ(error_of<Text>(R"({"text":"a"})"), "type: is required");
  EXPECT_EQ(error_of<Text>(R"({"type":"image","text":"a"})"), R"(type: expected "text")");
  EXPECT_EQ(error_of<Text>(R"({"type":null,"text":"a"})"), "type: expected a string, got null");
  EXPECT_TRUE(decode<Text>(R"({"type":"\u0074ext","text":"a"})"));
}

TEST(CodecVariant, UsesTheDefaultIfTheTagIsAbsent) {
  EXPECT_EQ(decode<Defaulted>(R"({"fields":2})"), Defaulted(Form{2}));
  EXPECT_EQ(decode<Defaulted>(R"({"type":"form","fields":2})"), Defaulted(Form{2}));
  EXPECT_EQ(decode<Defaulted>(R"({"type":"text","text":""})"), Defaulted(Text{}));
  EXPECT_EQ(error_of<Defaulted>(R"({"type":null,"fields":2})"), "type: expected a string, got null");
  EXPECT_EQ(encode(Form{2}), R"({"type":"form","fields":2})");
}

TEST(CodecVariant, KeepsUnknownValuesInAPayload) {
  const auto value = decode<OpenContent>(R"({"type":"audio", "data":"x"})");
  ASSERT_TRUE(value);
  EXPECT_EQ(std::get<Payload>(*value).text(), R"({"type":"audio", "data":"x"})");
  EXPECT_EQ(std::get<Payload>(*decode<OpenContent>("[1]")).text(), "[1]");
  EXPECT_EQ(error_of<OpenContent>(R"({"type":"text"})"), "text: is required");
}

TEST(CodecVariant, TriesUntaggedTypesInOrder) {
  EXPECT_EQ(std::get<std::int64_t>(*decode<Loose>("7")), 7);
  EXPECT_EQ(std::get<std::string>(*decode<Loose>("\"7\"")), "7");
  EXPECT_EQ(std::get<2>(*decode<Loose>(R"(["a"])")).size(), 1u);
  EXPECT_EQ(decode<Loose>("null")->index(), 3u);
  EXPECT_EQ(error_of<Loose>("1.5"), "fits none of the 4 shapes it may have; got a number");
  EXPECT_EQ(error_of<Loose>("[1]"), "fits none of the 4 shapes it may have; got an array");
}

TEST(CodecVariant, TriesUntaggedTypesBesideTaggedOnes) {
  using Mixed = std::variant<Text, std::string, std::vector<Content>>;
  EXPECT_EQ(decode<Mixed>("\"a\"")->index(), 1u);
  EXPECT_EQ(decode<Mixed>(R"([{"type":"text","text":"a"}])")->index(), 2u);
  EXPECT_EQ(decode<Mixed>(R"({"type":"text","text":"a"})")->index(), 0u);
  EXPECT_FALSE(decode<Mixed>("7"));
}

TEST(CodecVariant, ContinuesAfterAnAlternativeThatFailedHalfway) {
  struct Two {
    std::variant<std::vector<int>, std::vector<std::string>> list;
    int after = 0;
  };
  const auto value = decode<Two>(R"({"list":["a","b"],"after":1})");
  ASSERT_TRUE(value);
  EXPECT_EQ(value->list.index(), 1u);
  EXPECT_EQ(value->after, 1);
}

TEST(CodecVariant, KeepsNullIfAnAlternativeMayBeNull) {
  struct Holder {
    std::optional<Loose> maybe = {};
  };
  EXPECT_EQ(encode(*decode<Holder>(R"({"maybe":null})")), R"({"maybe":null})");
  EXPECT_EQ(encode(*decode<Holder>("{}")), "{}");
}

}  // namespace
}  // namespace fairlead::json::codec_variant_test
