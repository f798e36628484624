#include <fairlead/json/enumerators.hpp>

#include <boost/describe/enum.hpp>
#include <fairlead/json/codec.hpp>
#include <gtest/gtest.h>
#include <stdexcept>
#include <vector>

namespace fairlead::json::enumerators_test {
namespace {

enum class Level { ok = 0, warn = 1, bad = 5 };
enum class Flags : unsigned { read = 1, write = 2, execute = 4, hidden = 1U << 31 };
enum class Status { lost = -5, ok = 200, not_found = 404, default_ = 1023 };
enum class Wide : unsigned long long { small, huge = 1ULL << 63 };
enum class Tiny : signed char { lowest = -128, highest = 127 };
enum class Answer : bool { no, yes };
enum Plain : int { north, south };
enum class Far { near = 3, far = 100'000 };
BOOST_DESCRIBE_ENUM(Far, near, far)

template <class E>
std::vector<std::pair<std::string_view, long long>> all() {
  std::vector<std::pair<std::string_view, long long>> found;
  for (std::size_t i = 0; i < Enumerators<E>::count; ++i) {
    found.emplace_back(Enumerators<E>::names[i], static_cast<long long>(Enumerators<E>::values[i]));
  }
  return found;
}

using Found = std::vector<std::pair<std::string_view, long long>>;

TEST(Enumerators, Finding_B1_FindsValuesAfterGaps) {
  EXPECT_EQ(all<Level>(), (Found{{"ok", 0}, {"warn", 1}, {"bad", 5}}));
  EXPECT_EQ(all<Status>(), (Found{{"lost", -5}, {"ok", 200}, {"not_found", 404}, {"default", 1023}}));
  EXPECT_EQ(all<Tiny>(), (Found{{"lowest", -128}, {"highest", 127}}));
  EXPECT_EQ(all<Answer>(), (Found{{"no", 0}, {"yes", 1}}));
  EXPECT_EQ(all<Plain>(), (Found{{"north", 0}, {"south", 1}}));
}

TEST(Enumerators, Finding_B1_FindsFlags) {
  EXPECT_EQ(all<Flags>(), (Found{{"read", 1}, {"write", 2}, {"execute", 4}, {"hidden", 1LL << 31}}));
  EXPECT_EQ(Enumerators<Wide>::values[1], Wide::huge);
}

TEST(Enumerators, Finding_B1_DescribedEnumsMayHaveAnyValue) {
  EXPECT_EQ(all<Far>(), (Found{{"near", 3}, {"far", 100'000}}));
}

TEST(Enumerators, FindsValuesInFunctionsAndAnonymousNamespaces) {
  enum class Local { here, there = 7 };
  EXPECT_EQ(all<Local>(), (Found{{"here", 0}, {"there", 7}}));
}

TEST(Enumerators, Finding_B1_AllValuesRoundTripAndAreInTheSchema) {
  EXPECT_EQ(schema_of<Level>(), R"({"type":"string","enum":["ok","warn","bad"]})");
  EXPECT_EQ(encode(Level::bad), R"("bad")");
  EXPECT_EQ(decode<Level>(R"("bad")").value(), Level::bad);
  EXPECT_EQ(decode<Flags>(R"("execute")").value(), Flags::execute);
  EXPECT_FALSE(decode<Flags>(R"("5")"));
}

TEST(Enumerators, Finding_B1_UnnamedValuesAreAnError) {
  EXPECT_EQ(enum_name(Level::warn), "warn");
  EXPECT_THROW(enum_name(static_cast<Level>(7)), std::invalid_argument);
  EXPECT_THROW(encode(static_cast<Level>(-1)), std::invalid_argument);
  EXPECT_THROW(encode(static_cast<Flags>(3)), std::invalid_argument);
  EXPECT_EQ(Enumerators<Level>::find(static_cast<Level>(2)), "");
}

}  // namespace
}  // namespace fairlead::json::enumerators_test
