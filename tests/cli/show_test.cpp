#include "cli/show.hpp"

#include <gtest/gtest.h>

namespace fairlead::cli::show_test {
namespace {

TEST(ForTerminal, KeepsLinesAndShowsWhatCouldSteerATerminal) {
  EXPECT_EQ(for_terminal("a\n\tb"), "a\n\tb");
  EXPECT_EQ(for_terminal("\x1b[2Jgone"), "\\u001b[2Jgone");
  EXPECT_EQ(for_terminal("größer 漢字"), "größer 漢字");
}

TEST(Show, DescribesWhatIsNotText) {
  const protocol::ContentBlock image = protocol::ImageContent{.data = "AAAA", .mimeType = "image/png"};
  EXPECT_EQ(show(image), "[image image/png, 3 bytes]\n");
  protocol::BlobResourceContents blob;
  blob.uri = "test://x";
  blob.blob = "AA==";
  EXPECT_EQ(show(protocol::ResourceContents(blob)), "[test://x of unknown type, 1 bytes]\n");
}

TEST(Show, TextEndsItsLine) {
  const protocol::ContentBlock text = protocol::TextContent{.text = "hello"};
  EXPECT_EQ(show(text), "hello\n");
}

TEST(Show, ATableAlignsItsSecondColumn) {
  EXPECT_EQ(show_table({{"a", "first\nmore"}, {"longer", "second"}, {"bare", ""}}),
            "  a       first\n  longer  second\n  bare\n");
}

TEST(Show, ALogMessageIsOneLine) {
  protocol::LoggingMessageParams message;
  message.level = protocol::LoggingLevel::warning;
  message.logger = "db";
  message.data = json::Payload::trusted(R"("slow")");
  EXPECT_EQ(show(message), "warning db: slow");
  message.data = json::Payload::trusted(R"({"ms":7})");
  EXPECT_EQ(show(message), R"(warning db: {"ms":7})");
}

TEST(Show, ProgressTellsHowFar) {
  protocol::ProgressParams progress;
  progress.progress = 3;
  EXPECT_EQ(show(progress), "[3]");
  progress.total = 10;
  progress.message = "half way";
  EXPECT_EQ(show(progress), "[3/10] half way");
}

}  // namespace
}  // namespace fairlead::cli::show_test
