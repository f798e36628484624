#include "config/variables.hpp"

#include <gtest/gtest.h>

namespace fairlead::config::variables_test {
namespace {

std::string filled(std::string_view text) {
  const auto environment = [](const std::string& name) -> std::optional<std::string> {
    if (name == "HOME") return "/home/me";
    if (name == "EMPTY") return "";
    return name == "TRICK" ? std::optional<std::string>("${HOME}") : std::nullopt;
  };
  const auto expanded = expand(text, environment);
  return expanded ? expanded->text : "error: " + expanded.error().message;
}

TEST(VariablesTest, ExpandsVariables) {
  EXPECT_EQ(filled("${HOME}/x and ${env:HOME}"), "/home/me/x and /home/me");
  EXPECT_EQ(filled("${NONE:-a b}|${EMPTY:-c}|${EMPTY}|${NONE:-}"), "a b|c||");
}

TEST(VariablesTest, KeepsOtherDollars) {
  EXPECT_EQ(filled("$$ $HOME $5 $"), "$ $HOME $5 $");
  EXPECT_EQ(filled("$${HOME}"), "${HOME}");
}

TEST(VariablesTest, DoesNotExpandValues) {
  EXPECT_EQ(filled("${TRICK}"), "${HOME}");
}

TEST(VariablesTest, NamesAMissingVariable) {
  EXPECT_EQ(filled("a ${NONE} b"), "error: the variable NONE is not set; set it, or write ${NONE:-default}");
}

TEST(VariablesTest, RefusesInvalidNames) {
  for (const auto* text : {"${", "${}", "${A B}", "${1}", "${command:x}", "${input:x}"}) {
    EXPECT_TRUE(filled(text).starts_with("error: ")) << text;
  }
}

}  // namespace
}  // namespace fairlead::config::variables_test
