#include "auth/client/form.hpp"

#include <gtest/gtest.h>

namespace fairlead::auth::form_test {
namespace {

TEST(Form, EncodesReservedCharacters) {
  Form form;
  form.add("a b", "x&y=z/ü").add("empty", "");
  EXPECT_EQ(form.text(), "a%20b=x%26y%3Dz%2F%C3%BC");
}

TEST(Form, RefusesARepeatedParameter) {
  EXPECT_FALSE(Form::parse("code=1&state=2&code=3"));
  EXPECT_EQ(Form::parse("code=a%2Bb&state=c+d")->get("state"), "c d");
}

TEST(Scope, UnionKeepsEachWordOnce) {
  EXPECT_EQ(scope_union("a b", "b  c"), "a b c");
  EXPECT_TRUE(scope_contains("a b c", "c a"));
  EXPECT_FALSE(scope_contains("a b", "a d"));
}

TEST(RandomText, IsLongEnoughForAVerifier) {
  EXPECT_EQ(random_text(32).size(), 43U);
  EXPECT_NE(random_text(32), random_text(32));
}

}  // namespace
}  // namespace fairlead::auth::form_test
