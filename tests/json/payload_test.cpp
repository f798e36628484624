#include <fairlead/json/payload.hpp>

#include <boost/json.hpp>
#include <cmath>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace fairlead::json::payload_test {
namespace {

const std::string long_text = R"({"a": [1, 2,  3], "long enough to live on the heap": "\u0041", "n": 1.50})";

TEST(Payload, KeepsEveryByteOfItsText) {
  const auto payload = Payload::parse(" " + long_text + "\n");
  ASSERT_TRUE(payload);
  EXPECT_EQ(payload->text(), " " + long_text + "\n");
  (void)payload->value();
  EXPECT_EQ(payload->text(), " " + long_text + "\n");
}

TEST(Payload, RefusesTextThatIsNotJson) {
  const auto payload = Payload::parse("{\"a\":}");
  ASSERT_FALSE(payload);
  EXPECT_EQ(payload.error().kind, ErrorKind::malformed);
  EXPECT_NE(payload.error().message.find("byte 5"), std::string::npos);
}

TEST(Payload, RespectsMaxDepth) {
  EXPECT_FALSE(Payload::parse("[[[]]]", {.max_depth = 2}));
  EXPECT_TRUE(Payload::parse("[[[]]]", {.max_depth = 3}));
}

TEST(Payload, IsNullAndEmptyByDefault) {
  const Payload payload;
  EXPECT_TRUE(payload.empty());
  EXPECT_EQ(payload.text(), "");
  EXPECT_TRUE(payload.value().is_null());
}

TEST(Payload, ParsesOnce) {
  const auto payload = Payload::trusted(long_text);
  EXPECT_EQ(&payload.value(), &payload.value());
  EXPECT_EQ(payload.value().at("a").at(1).as_int64(), 2);
}

TEST(Payload, ParsesEveryNumberThatScanAccepts) {
  const auto payload = Payload::parse(
      R"({"e":"1e99999999999","n":[1e99999999999,-1E+2147483648,1e-99999999999,0e99999999999,2e0000000000003,)"
      R"(123456789012345678901234567890,1e400,1e-400,true,false]})");
  ASSERT_TRUE(payload);
  const auto& numbers = payload->value().at("n").as_array();
  EXPECT_EQ(payload->value().at("e").as_string(), "1e99999999999");
  EXPECT_TRUE(std::isinf(numbers.at(0).as_double()));
  EXPECT_LT(numbers.at(1).as_double(), 0);
  EXPECT_EQ(numbers.at(2).as_double(), 0);
  EXPECT_EQ(numbers.at(3).as_double(), 0);
  EXPECT_EQ(numbers.at(4).as_double(), 2000);
  EXPECT_EQ(numbers.at(5).as_double(), 123456789012345678901234567890.0);
}

TEST(Payload, ParsesTheDeepestTextThatScanAccepts) {
  const auto payload = Payload::parse(std::string(1024, '[') + std::string(1024, ']'), {.max_depth = 1024});
  ASSERT_TRUE(payload);
  EXPECT_TRUE(payload->value().is_array());
}

TEST(Payload, MayBeParsedByManyThreadsAtOnce) {
  for (int round = 0; round < 20; ++round) {
    const auto payload = Payload::trusted(long_text);
    std::vector<const boost::json::value*> seen(4);
    std::vector<std::thread> threads;
    for (auto& place : seen) {
      threads.emplace_back([&] {
        place = &payload.value();
        EXPECT_EQ(place->at("n").as_double(), 1.5);
        EXPECT_EQ(Payload(payload).text(), long_text);
      });
    }
    for (auto& thread : threads) thread.join();
    for (const auto* value : seen) EXPECT_EQ(value, &payload.value());
  }
}

TEST(Payload, MayBeASliceOfAMessage) {
  const std::string message = R"({"params": [1, 2] , "more": 0})";
  auto slice = Payload::slice(message, {11, 6});
  EXPECT_EQ(slice.text(), "[1, 2]");
  EXPECT_EQ(slice.value().as_array().size(), 2u);
  const Payload copy = slice;
  EXPECT_EQ(copy.text(), "[1, 2]");
  const Payload moved = std::move(slice);
  EXPECT_EQ(moved.text(), "[1, 2]");
}

TEST(Payload, CopiesAndMovesShortAndLongTexts) {
  for (const auto& text : {std::string("[1]"), long_text}) {
    auto payload = Payload::trusted(text);
    (void)payload.value();
    Payload copy = payload;
    EXPECT_EQ(copy, payload);
    EXPECT_NE(&copy.value(), &payload.value());
    const auto* parsed = &payload.value();
    const Payload moved = std::move(payload);
    EXPECT_EQ(&moved.value(), parsed);
    EXPECT_EQ(moved.text(), text);
    EXPECT_TRUE(payload.empty());  // NOLINT(bugprone-use-after-move): a moved-from payload is empty.
    EXPECT_TRUE(payload.value().is_null());
    payload = moved;
    EXPECT_EQ(payload, moved);
  }
}

TEST(Payload, SurvivesAssignmentToItself) {
  auto payload = Payload::trusted(long_text);
  (void)payload.value();
  auto& self = payload;
  payload = self;
  EXPECT_EQ(payload.text(), long_text);
  payload = std::move(self);
  EXPECT_EQ(payload.text(), long_text);
  EXPECT_EQ(payload.value().at("n").as_double(), 1.5);
}

TEST(Payload, DropsItsParsedValueWhenAssigned) {
  auto payload = Payload::trusted("1");
  EXPECT_EQ(payload.value().as_int64(), 1);
  payload = Payload::trusted("2");
  EXPECT_EQ(payload.value().as_int64(), 2);
}

TEST(Payload, CopiesKeepTheNameBits) {
  const auto known = Payload::slice(R"({"a":1})", {0, 7}, name_bit("a"));
  EXPECT_TRUE(known.may_contain("a"));
  EXPECT_FALSE(known.may_contain("b"));
  Payload copy(known);
  EXPECT_FALSE(copy.may_contain("b"));
  Payload moved(std::move(copy));
  EXPECT_FALSE(moved.may_contain("b"));
  Payload other = Payload::trusted("{}");
  EXPECT_TRUE(other.may_contain("b"));
  other = moved;
  EXPECT_FALSE(other.may_contain("b"));
  other = Payload::trusted(R"({"b":1})");
  EXPECT_TRUE(other.may_contain("b"));
}

TEST(Payload, EditResetsTheNameBits) {
  auto payload = Payload::slice(R"({"a":1})", {0, 7}, name_bit("a"));
  payload.edit([](boost::json::value& value) { value.as_object()["b"] = 2; });
  EXPECT_TRUE(payload.may_contain("b"));
}

TEST(Payload, EditRewritesTheText) {
  auto payload = Payload::slice(R"([{"b":1,"a":[true,null]}])", {1, 23});
  payload.edit([](boost::json::value& value) { value.as_object()["c"] = "x\n"; });
  EXPECT_EQ(payload.text(), R"({"b":1,"a":[true,null],"c":"x\n"})");
  EXPECT_EQ(payload.value().at("c").as_string(), "x\n");
}

TEST(Payload, StaysValidJsonWhateverAnEditDoes) {
  auto payload = Payload::trusted("[1e400]");
  payload.edit([](boost::json::value& value) {
    value.as_array().emplace_back("\xFF");
    value.as_array().emplace_back(std::nan(""));
  });
  EXPECT_EQ(payload.text(), "[null,\"\uFFFD\",null]");
  EXPECT_FALSE(scan(payload.text()));
}

TEST(Payload, KeepsItsTextIfAnEditThrows) {
  auto payload = Payload::trusted("[1]");
  EXPECT_THROW(payload.edit([](boost::json::value& value) {
    value.as_array().clear();
    throw std::runtime_error("no");
  }),
               std::runtime_error);
  EXPECT_EQ(payload.text(), "[1]");
  EXPECT_EQ(payload.value().as_array().size(), 1u);
}

TEST(Payload, ComparesByItsBytes) {
  EXPECT_EQ(Payload::trusted("[1]"), Payload::slice("{\"a\":[1]}", {5, 3}));
  EXPECT_NE(Payload::trusted("[1]"), Payload::trusted("[ 1]"));
}

}  // namespace
}  // namespace fairlead::json::payload_test
