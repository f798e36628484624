#include "cli/to_text.hpp"

#include <gtest/gtest.h>

namespace fairlead::cli::show_test {
namespace {

TEST(EscapeForTerminal, KeepsNewlinesAndEscapesControlCharacters) {
  EXPECT_EQ(escape_for_terminal("a\n\tb"), "a\n\tb");
  EXPECT_EQ(escape_for_terminal("\x1b[2Jgone"), "\\u001b[2Jgone");
  EXPECT_EQ(escape_for_terminal("größer 漢字"), "größer 漢字");
}

TEST(ToText, DescribesBinaryContent) {
  const protocol::ContentBlock image = protocol::ImageContent{.data = "AAAA", .mimeType = "image/png"};
  EXPECT_EQ(to_text(image), "[image image/png, 3 bytes]\n");
  protocol::BlobResourceContents blob;
  blob.uri = "test://x";
  blob.blob = "AA==";
  EXPECT_EQ(to_text(protocol::ResourceContents(blob)), "[test://x of unknown type, 1 bytes]\n");
}

TEST(ToText, EndsTextWithANewline) {
  const protocol::ContentBlock text = protocol::TextContent{.text = "hello"};
  EXPECT_EQ(to_text(text), "hello\n");
}

TEST(ToText, AlignsTheSecondTableColumn) {
  EXPECT_EQ(format_table({{"a", "first\nmore"}, {"longer", "second"}, {"bare", ""}}),
            "  a       first\n  longer  second\n  bare\n");
}

TEST(ToText, FormatsALogMessageOnOneLine) {
  protocol::LoggingMessageParams message;
  message.level = protocol::LoggingLevel::warning;
  message.logger = "db";
  message.data = json::Payload::trusted(R"("slow")");
  EXPECT_EQ(to_text(message), "warning db: slow");
  message.data = json::Payload::trusted(R"({"ms":7})");
  EXPECT_EQ(to_text(message), R"(warning db: {"ms":7})");
}

TEST(ToText, FormatsProgress) {
  protocol::ProgressParams progress;
  progress.progress = 3;
  EXPECT_EQ(to_text(progress), "[3]");
  progress.total = 10;
  progress.message = "half way";
  EXPECT_EQ(to_text(progress), "[3/10] half way");
}

}  // namespace
}  // namespace fairlead::cli::show_test
