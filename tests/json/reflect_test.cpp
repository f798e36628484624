#include <fairlead/json/reflect.hpp>

#include <boost/describe.hpp>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace {

struct Global {
  int in_anonymous;
};

}  // namespace

namespace fairlead::json::reflect_test {
namespace {

struct Empty {};
struct One {
  int only;
};
struct Mixed {
  std::string text;
  std::optional<std::vector<int>> maybe = {};
  std::variant<int, std::string> either = {};
  std::map<std::string, One> map = {};
  One nested = {};
  std::array<int, 3> triple = {};
  Empty nothing = {};
  bool flag = true;
  double number = 1.5;
};
struct Keywords {
  int default_;
  int enum_;
  int _meta;
  int _;
  int camelCase9;
};
struct Tree {
  std::string name;
  std::vector<Tree> children;
};
template <class T>
struct Generic {
  T generic_value;
  std::optional<T> second;
};
struct Full {
  int m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15;
  int n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11, n12, n13, n14, n15;
};

struct Base {
  int base_member = 0;
};
struct Derived : Base {
  Derived() = default;
  explicit Derived(int value) : own(value) {}
  int own = 0;

 private:
  int hidden_ = 0;
  BOOST_DESCRIBE_CLASS(Derived, (Base), (own), (), (hidden_))
};
BOOST_DESCRIBE_STRUCT(Base, (), (base_member))

template <class T>
std::vector<std::string_view> names_of() {
  return {Members<T>::names.begin(), Members<T>::names.end()};
}

template <class T>
std::string_view name_of_local() {
  struct Local {
    T first;
    int second_of_local;
  };
  return Members<Local>::names[1];
}

TEST(Reflect, CountsAndNamesMembers) {
  EXPECT_EQ(names_of<Mixed>(), (std::vector<std::string_view>{"text", "maybe", "either", "map", "nested", "triple",
                                                              "nothing", "flag", "number"}));
  EXPECT_EQ(names_of<One>(), std::vector<std::string_view>{"only"});
  EXPECT_TRUE(names_of<Empty>().empty());
}

TEST(Reflect, DropsOneTrailingUnderscore) {
  EXPECT_EQ(names_of<Keywords>(), (std::vector<std::string_view>{"default", "enum", "_meta", "_", "camelCase9"}));
}

TEST(Reflect, HandlesUpTo32MembersWithoutAMacro) {
  EXPECT_EQ(Members<Full>::count, 32u);
  EXPECT_EQ(Members<Full>::names.front(), "m0");
  EXPECT_EQ(Members<Full>::names.back(), "n15");
}

TEST(Reflect, HandlesLocalAndAnonymousAndGenericStructs) {
  struct Local {
    int local_member;
  };
  EXPECT_EQ(Members<Local>::names[0], "local_member");
  EXPECT_EQ(Members<Global>::names[0], "in_anonymous");
  EXPECT_EQ(Members<Generic<int>>::names[1], "second");
  EXPECT_EQ((Members<Generic<std::array<char, 3>>>::names[0]), "generic_value");
  EXPECT_EQ(name_of_local<int>(), "second_of_local");
  EXPECT_EQ((name_of_local<std::map<std::string, int>>()), "second_of_local");
}

TEST(Reflect, HandlesRecursiveStructs) {
  EXPECT_EQ(names_of<Tree>(), (std::vector<std::string_view>{"name", "children"}));
}

TEST(Reflect, ReachesMembersByIndex) {
  Mixed mixed{.text = "a"};
  Members<Mixed>::get<0>(mixed) += "b";
  EXPECT_EQ(mixed.text, "ab");
  const Mixed& fixed = mixed;
  EXPECT_EQ(&Members<Mixed>::get<8>(fixed), &mixed.number);
  static_assert(std::is_same_v<MemberType<Mixed, 7>, bool>);
}

TEST(Reflect, UsesBoostDescribeWithBases) {
  EXPECT_EQ(names_of<Derived>(), (std::vector<std::string_view>{"base_member", "own"}));
  Derived derived(3);
  EXPECT_EQ(Members<Derived>::get<1>(derived), 3);
}

}  // namespace
}  // namespace fairlead::json::reflect_test
