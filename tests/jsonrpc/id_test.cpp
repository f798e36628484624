#include <fairlead/jsonrpc/id.hpp>

#include <fairlead/json/codec.hpp>
#include <gtest/gtest.h>

namespace fairlead::jsonrpc::id_test {
namespace {

TEST(Id, KeepsItsJsonType_S0_10) {
  EXPECT_EQ(Id(7).to_json(), "7");
  EXPECT_EQ(Id("7").to_json(), "\"7\"");
  EXPECT_NE(Id(7), Id("7"));
  EXPECT_TRUE(Id("7").is_text());
  EXPECT_FALSE(Id(7).is_text());
}

TEST(Id, IsConstructibleFromAnyInteger) {
  EXPECT_EQ(Id(0).to_json(), "0");
  EXPECT_EQ(Id(std::size_t{5}), Id(5));
  EXPECT_EQ(Id().to_json(), "0");
}

TEST(Id, EchoesEveryNumberVerbatim_S0_10) {
  for (const char* token : {"0", "-1", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1.5",
                            "1.0", "1e3", "-0", "123456789012345678901234567890", "1E400"}) {
    const auto id = json::decode<Id>(token);
    ASSERT_TRUE(id) << token;
    EXPECT_EQ(id->to_json(), token);
  }
}

TEST(Id, EchoesEveryString_S0_10) {
  for (const char* token : {R"("")", R"("request-001")", R"("é\n\"\\😀")", R"("\u0000")", R"("null")"}) {
    const auto id = json::decode<Id>(token);
    ASSERT_TRUE(id) << token;
    EXPECT_EQ(id->to_json(), token);
    EXPECT_TRUE(id->is_text());
  }
}

TEST(Id, RefusesOtherTypes) {
  for (const char* token : {"null", "true", "[]", "{}"}) EXPECT_FALSE(json::decode<Id>(token)) << token;
}

TEST(Id, IsOrdered) {
  EXPECT_LT(Id(1), Id(2));
  EXPECT_LT(Id("a"), Id("b"));
  EXPECT_EQ(Id::from_number("5"), Id(5));
  EXPECT_NE(Id::from_number("5.0"), Id(5));
}

TEST(Id, HasASchema) {
  EXPECT_EQ(json::schema_of<Id>(), R"({"type":["string","integer"]})");
}

}  // namespace
}  // namespace fairlead::jsonrpc::id_test
