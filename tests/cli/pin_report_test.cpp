#include "cli/pin_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlead::cli::pin_report_test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(PinWords, OnlyWhatDiffersIsMarked) {
  EXPECT_EQ(show_words("Adds two numbers", "Adds three numbers"), "Adds [-two-]{+three+} numbers");
  EXPECT_EQ(show_words("Adds", "Adds. Reads your keys"), "[-Adds-]{+Adds. Reads your keys+}");
  EXPECT_EQ(show_words("a b c", "a c"), "a [-b -]c");
  EXPECT_EQ(show_words("same", "same"), "same");
}

TEST(PinWords, WhatCannotBeSeenIsShown) {
  EXPECT_EQ(show_words("Adds numbers", "Adds\u200b numbers"), "[-Adds-]{+Adds\\u200b+} numbers");
  EXPECT_EQ(show_words("Adds numbers", "Adds \U000e0068\U000e0069numbers"),
            "Adds [-numbers-]{+\\ue0068\\ue0069numbers+}");
  EXPECT_THAT(show_words("a \x1b[2Jb", "a"), Not(HasSubstr("\x1b")));
}

TEST(PinWords, WhatLooksTheSameIsShownByItsNumbers) {
  EXPECT_EQ(show_words("Adds it", "Adds\ufe0f it"), "[-Adds-]{+Adds\\xef\\xb8\\x8f+} it");
  EXPECT_EQ(show_words("a\\u200b", "a\u200b"), "[-a\\u200b-]{+a\\xe2\\x80\\x8b+}");
  EXPECT_EQ(show_words("größer", "größte"), "[-größer-]{+größte+}");
}

TEST(PinWords, TextsWithoutEndAreNotCompared) {
  std::string many;
  for (int i = 0; i < 5000; ++i) many += "a" + std::to_string(i) + " ";
  EXPECT_THAT(show_words(many, many + "b"), HasSubstr("[-a0 "));
}

TEST(PinReport, TellsWhatDiffersAndHowOften) {
  gateway::Pins pins;
  const auto item = [](const std::string& name, const std::string& about) {
    return gateway::ListItem{name, R"({"name":")" + name + R"(","description":")" + about + R"("})"};
  };
  for (const auto* name : {"same", "other", "gone"}) {
    pins["git"].tools[name] = gateway::pin_of(item(name, "Old words").text);
  }
  Definitions now{.server = "git", .answers = true};
  now.tools = {item("same", "Old words"), item("other", "New words"), item("more", "x")};
  const auto compared = compare(now, pins, "pins.json");
  EXPECT_TRUE(compared.differs());
  EXPECT_EQ(
      show_standing(compared),
      "git: 1 approved, 1 changed, 1 new, 1 gone\n  changed  tool other\n  new      tool more\n  gone     tool gone\n");
  EXPECT_EQ(show_changes(compared, compared.items[1]),
            "git tool 'other': changed\n    description: [-Old-]{+New+} words\n");
  EXPECT_EQ(show_changes(compared, compared.items[2]), "git tool 'more': new\n  + description: x\n  + name: more\n");
}

}  // namespace
}  // namespace fairlead::cli::pin_report_test
