#include "cli/word_diff.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlead::cli::word_diff_test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(WordDiff, MarksOnlyDifferences) {
  EXPECT_EQ(show_word_diff("Adds two numbers", "Adds three numbers"), "Adds [-two-]{+three+} numbers");
  EXPECT_EQ(show_word_diff("Adds", "Adds. Reads your keys"), "[-Adds-]{+Adds. Reads your keys+}");
  EXPECT_EQ(show_word_diff("a b c", "a c"), "a [-b -]c");
  EXPECT_EQ(show_word_diff("same", "same"), "same");
}

TEST(WordDiff, ShowsInvisibleCharacters) {
  EXPECT_EQ(show_word_diff("Adds numbers", "Adds\u200b numbers"), "[-Adds-]{+Adds\\u200b+} numbers");
  EXPECT_EQ(show_word_diff("Adds numbers", "Adds \U000e0068\U000e0069numbers"),
            "Adds [-numbers-]{+\\ue0068\\ue0069numbers+}");
  EXPECT_THAT(show_word_diff("a \x1b[2Jb", "a"), Not(HasSubstr("\x1b")));
}

TEST(WordDiff, EscapesLookalikes) {
  EXPECT_EQ(show_word_diff("Adds it", "Adds\ufe0f it"), "[-Adds-]{+Adds\\xef\\xb8\\x8f+} it");
  EXPECT_EQ(show_word_diff("a\\u200b", "a\u200b"), "[-a\\u200b-]{+a\\xe2\\x80\\x8b+}");
  EXPECT_EQ(show_word_diff("größer", "größte"), "[-größer-]{+größte+}");
}

TEST(WordDiff, SkipsTheDiffForHugeTexts) {
  std::string many;
  for (int i = 0; i < 5000; ++i) many += "a" + std::to_string(i) + " ";
  EXPECT_THAT(show_word_diff(many, many + "b"), HasSubstr("[-a0 "));
}

}  // namespace
}  // namespace fairlead::cli::word_diff_test
