#include <boost/describe.hpp>
#include <fairlead/json/codec.hpp>
#include <gtest/gtest.h>

namespace fairlead::json::codec_described_test {
namespace {

struct Named {
  std::string name;
  std::optional<std::string> title = {};
};
BOOST_DESCRIBE_STRUCT(Named, (), (name, title))

struct Tool : Named {
  int version_;
  Extra extra = {};
};
BOOST_DESCRIBE_STRUCT(Tool, (Named), (version_, extra))

struct Wide {
  int a0 = 0, a1 = 1, a2 = 2, a3 = 3, a4 = 4, a5 = 5, a6 = 6, a7 = 7, a8 = 8, a9 = 9;
  int b0 = 0, b1 = 1, b2 = 2, b3 = 3, b4 = 4, b5 = 5, b6 = 6, b7 = 7, b8 = 8, b9 = 9;
  int c0 = 0, c1 = 1, c2 = 2, c3 = 3, c4 = 4, c5 = 5, c6 = 6, c7 = 7, c8 = 8, c9 = 9;
  int d0 = 0, d1 = 1, d2 = 2, d3;
};
BOOST_DESCRIBE_STRUCT(Wide, (),
                      (a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, c0, c1, c2, c3,
                       c4, c5, c6, c7, c8, c9, d0, d1, d2, d3))

TEST(CodecDescribed, ReadsAndWritesMembersOfTheBaseFirst) {
  const auto tool = decode<Tool>(R"({"version":2,"more":[1],"name":"n"})");
  ASSERT_TRUE(tool);
  EXPECT_EQ(tool->name, "n");
  EXPECT_EQ(tool->version_, 2);
  EXPECT_EQ(encode(*tool), R"({"name":"n","version":2,"more":[1]})");
}

TEST(CodecDescribed, RequiresMembersOfTheBase) {
  EXPECT_EQ(decode<Tool>(R"({"version":2})").error().message, "name: is required");
}

TEST(CodecDescribed, HandlesMoreThan32Members) {
  Wide wide{};
  wide.d3 = 42;
  const auto text = encode(wide);
  const auto back = decode<Wide>(text);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->d3, 42);
  EXPECT_EQ(encode(*back), text);
  EXPECT_EQ(decode<Wide>(text.substr(0, text.rfind(',')) + "}").error().message, "d3: is required");
}

TEST(CodecDescribed, DescribesMembersOfTheBase) {
  EXPECT_EQ(
      schema_of<Tool>(),
      R"({"type":"object","properties":{"name":{"type":"string"},"title":{"type":"string"},"version":{"type":"integer"}},)"
      R"("required":["name","version"]})");
}

}  // namespace
}  // namespace fairlead::json::codec_described_test
