#include <fstream>

#include "interop/peer.hpp"

namespace fairlead::interop::filesystem_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// server-filesystem, which may access the directory in its arguments or our roots.
struct Filesystem : Peer {
  Filesystem() { options.validate_results = client::ResultValidation::always; }

  std::string path(const std::string& name) const { return folder.path / name; }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }
  static std::vector<protocol::Root> root(const fs::path& path) { return {{.uri = "file://" + path.string()}}; }

  Folder folder;
};

TEST_F(Filesystem, WritesReadsEditsAndMovesFiles) {
  auto server = npm("server-filesystem", {folder.path});
  server.call("write_file", {{"path", path("a.txt")}, {"content", "one\ntwo\n"}});
  EXPECT_EQ(server.call<std::string>("read_text_file", {{"path", path("a.txt")}, {"head", 1}}), "one");
  const auto edits =
      parsed(R"({"path":)" + json::encode(path("a.txt")) + R"(,"edits":[{"oldText":"two","newText":"three"}]})");
  EXPECT_THAT(server.call<std::string>("edit_file", edits), AllOf(HasSubstr("-two"), HasSubstr("+three")));
  server.call("create_directory", {{"path", path("sub")}});
  server.call("move_file", {{"source", path("a.txt")}, {"destination", path("sub/b.txt")}});
  EXPECT_THAT(server.call<std::string>("list_directory", {{"path", path("sub")}}), HasSubstr("[FILE] b.txt"));
  EXPECT_EQ(server.call<std::string>("read_file", {{"path", path("sub/b.txt")}}), "one\nthree\n");
}

TEST_F(Filesystem, ListsAndSearchesDirectories) {
  write("a.txt", "x");
  write("b.md", "y");
  auto server = npm("server-filesystem", {folder.path});
  const Arguments here{{"path", folder.path.string()}};
  EXPECT_THAT(server.call<std::string>("list_directory_with_sizes", here), HasSubstr("Total: 2 files"));
  EXPECT_THAT(server.call<std::string>("directory_tree", here), HasSubstr(R"("name": "b.md")"));
  const Arguments search{{"path", folder.path.string()}, {"pattern", "*.md"}};
  EXPECT_EQ(server.call<std::string>("search_files", search), path("b.md"));
  EXPECT_THAT(server.call<std::string>("get_file_info", {{"path", path("a.txt")}}), HasSubstr("size: 1"));
  const std::vector<std::string> both{path("a.txt"), path("b.md")};
  EXPECT_THAT(server.call<std::string>("read_multiple_files", {{"paths", both}}), HasSubstr("b.md:\ny"));
}

TEST_F(Filesystem, ReturnsMediaContent) {
  auto server = npm("server-filesystem", {folder.path});
  const auto picture = server.call("read_media_file", {{"path", write("a.png", "PNG")}});
  EXPECT_EQ(std::get<protocol::ImageContent>(picture.content.front()).data, "UE5H");
  const auto sound = server.call("read_media_file", {{"path", write("a.wav", "RIFF")}});
  EXPECT_EQ(std::get<protocol::AudioContent>(sound.content.front()).mimeType, "audio/wav");
  const auto other = server.call("read_media_file", {{"path", write("a.bin", "?")}});
  const auto& resource = std::get<protocol::EmbeddedResource>(other.content.front()).resource;
  EXPECT_EQ(std::get<protocol::BlobResourceContents>(resource).blob, "Pw==");
}

TEST_F(Filesystem, OutsidePathsFailAsToolErrors) {
  auto server = npm("server-filesystem", {folder.path});
  const auto refused = server.call("read_text_file", {{"path", "/etc/passwd"}});
  EXPECT_EQ(refused.isError, true);
  EXPECT_THAT(client::text_of(refused), HasSubstr("outside allowed directories"));
}

TEST_F(Filesystem, RootsLimitAccessAndMayChange) {
  fs::create_directories(folder.path / "first");
  fs::create_directories(folder.path / "second");
  options.roots = root(folder.path / "first");
  auto server = npm("server-filesystem");
  const auto allowed = [&](const std::string& name) {
    // The server requests our roots at some time after the start.
    for (int attempt = 0; attempt < 200; ++attempt) {
      if (server.call<std::string>("list_allowed_directories").ends_with(name)) return true;
    }
    return false;
  };
  EXPECT_TRUE(allowed("/first"));
  server.set_roots(root(folder.path / "second"));
  EXPECT_TRUE(allowed("/second"));
  EXPECT_EQ(server.call("write_file", {{"path", path("first/a")}, {"content", ""}}).isError, true);
}

}  // namespace
}  // namespace fairlead::interop::filesystem_test
