#include <fairlead/skills/serve.hpp>

#include <fairlead/client.hpp>
#include <fairlead/server.hpp>
#include <fairlead/skills/client.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdexcept>

#include "skills/skills_folder.hpp"

namespace fairlead::skills::serve_test {
namespace {

using test::skill_md;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

struct ServeSkillsTest : testing::Test {
  test::SkillsFolder folder;
  server::Server app{"demo", "1.0"};

  ServeSkillsTest() {
    folder.write("pdf/SKILL.md", skill_md("pdf", "version: 1.10\n"));
    folder.write("pdf/references/forms.md", "# Forms\n");
    folder.write("pdf/icon.bin", std::string("\x00\x01\xff", 3));
    folder.write("group/notes/SKILL.md", skill_md("notes"));
    folder.write("README.md", "not part of a skill");
  }

  /// The response to a stateless request.
  std::string request(const std::string& method, const std::string& params = "", const std::string& principal = "") {
    return app.handle(R"({"jsonrpc":"2.0","id":7,"method":")" + method + R"(","params":{)" + params +
                          (params.empty() ? "" : ",") + R"("_meta":{"io.modelcontextprotocol/protocolVersion":")" +
                          std::string(protocol::newest().name) +
                          R"(","io.modelcontextprotocol/clientCapabilities":{}}}})",
                      principal);
  }
  std::string at(const std::string& method, const std::string& uri, const std::string& principal = "") {
    return request(method, R"("uri":")" + uri + '"', principal);
  }

  /// The text of the exception; the folder's path is cut.
  std::string mistakes() {
    try {
      serve_skills(app, folder.path());
    } catch (const std::invalid_argument& wrong) {
      std::string text = wrong.what();
      const auto path = folder.path().string() + "/";
      for (auto found = text.find(path); found != std::string::npos; found = text.find(path)) {
        text.erase(found, path.size());
      }
      return text;
    }
    return "none";
  }
};

TEST_F(ServeSkillsTest, FilesOfTheProgramAreServedAsThoseOfAFolder) {
  const SkillFiles files{{"pdf/SKILL.md", skill_md("pdf", "version: 1.10\n")},
                         {"pdf/references/forms.md", "# Forms\n"},
                         {"pdf/icon.bin", std::string("\x00\x01\xff", 3)},
                         {"group/notes/SKILL.md", skill_md("notes")}};
  server::Server from_folder{"demo", "1.0"};
  serve_skills(from_folder, folder.path());
  auto served = serve_skills(app, files);
  ASSERT_TRUE(served.reload());
  const auto all = [](server::Server& server) {
    auto client = connect(server);
    std::vector<std::string> found;
    for (const auto& skill : list_skills(client)) found.push_back(json::encode(skill));
    for (const auto* uri : {"skill://pdf", "skill://pdf/references", "skill://group/notes"}) {
      const auto params = json::Payload::trusted(R"({"uri":")" + std::string(uri) + R"("})");
      found.emplace_back(client.request("resources/directory/read", params).text());
    }
    found.push_back(json::encode(client.read("skill://pdf/icon.bin")));
    return found;
  };
  EXPECT_EQ(all(app), all(from_folder));
}

TEST_F(ServeSkillsTest, FilesOfTheProgramMustBeInASkill) {
  const SkillFiles files{{"/pdf/SKILL.md", ""}, {"README.md", ""}, {"a/../b/SKILL.md", ""}, {"pdf/SKILL.md", "# x\n"}};
  try {
    serve_skills(app, files);
    FAIL() << "was served";
  } catch (const std::invalid_argument& wrong) {
    EXPECT_THAT(wrong.what(), AllOf(HasSubstr("/pdf/SKILL.md: is not a relative path"),
                                    HasSubstr("README.md: is not in a folder that has a SKILL.md"),
                                    HasSubstr("a/../b/SKILL.md: is not"), HasSubstr("\npdf/SKILL.md:1: ")));
  }
}

TEST_F(ServeSkillsTest, DeclaresTheExtensionWithResources) {
  serve_skills(app, folder.path());
  EXPECT_THAT(request("server/discover"),
              AllOf(HasSubstr(R"("extensions":{"io.modelcontextprotocol/skills":{"directoryRead":true}})"),
                    HasSubstr(R"("resources":{)"), Not(HasSubstr("logging"))));
}

TEST_F(ServeSkillsTest, DeclaresDirectoriesOnlyIfOffered) {
  serve_skills(app, folder.path(), {.directories = false});
  EXPECT_THAT(request("server/discover"), HasSubstr(R"("io.modelcontextprotocol/skills":{}})"));
  EXPECT_THAT(at("resources/directory/read", "skill://pdf"), HasSubstr(R"("code":-32601)"));
}

TEST_F(ServeSkillsTest, ListsSkillsWithFrontMatterDigestsAndCacheHints) {
  serve_skills(app, folder.path(), {.ttl = std::chrono::hours{1}});
  EXPECT_THAT(
      request("skills/list"),
      HasSubstr(
          R"("result":{"skills":[{"uri":"skill://group/notes/SKILL.md","frontmatter":{"name":"notes","description":"About notes"},)"
          R"("resources":[{"uri":"skill://group/notes/SKILL.md","digest":"sha256:)"));
  EXPECT_THAT(request("skills/list"),
              AllOf(HasSubstr(R"("frontmatter":{"name":"pdf","description":"About pdf","version":1.1})"),
                    HasSubstr(R"({"uri":"skill://pdf/references/forms.md","digest":)"
                              R"("sha256:111198a69a324efe68bb9dd7e0ca9cb2e50e1c374da3d383a7d3569824965082","size":8})"),
                    HasSubstr(R"("ttlMs":3600000,"cacheScope":"private")"), HasSubstr(R"("resultType":"complete")"),
                    Not(HasSubstr("nextCursor"))));
}

TEST_F(ServeSkillsTest, PagesTheListOfSkills) {
  serve_skills(app, folder.path(), {.page_size = 1});
  const auto first = request("skills/list");
  EXPECT_THAT(first, AllOf(HasSubstr("notes/SKILL.md"), Not(HasSubstr("pdf/SKILL.md"))));
  const std::string mark = R"("nextCursor":)";
  const auto begin = first.find(mark) + mark.size();
  const auto cursor = first.substr(begin, first.find(',', begin) - begin);
  EXPECT_THAT(request("skills/list", R"("cursor":)" + cursor),
              AllOf(HasSubstr("pdf/SKILL.md"), Not(HasSubstr("notes/SKILL.md")), Not(HasSubstr("nextCursor"))));
  EXPECT_THAT(request("skills/list", R"("cursor":"?")"), HasSubstr(R"("code":-32602)"));
}

TEST_F(ServeSkillsTest, ReturnsOneSkillByItsUri) {
  serve_skills(app, folder.path());
  EXPECT_THAT(at("skills/get", "skill://pdf/SKILL.md"),
              AllOf(HasSubstr(R"("result":{"skill":{"uri":"skill://pdf/SKILL.md",)"), HasSubstr(R"("ttlMs":0)")));
  EXPECT_THAT(at("skills/get", "skill://pdf"), HasSubstr(R"("code":-32602)"));
  EXPECT_THAT(request("skills/get"), HasSubstr(R"("code":-32602)"));
}

TEST_F(ServeSkillsTest, ReadsDirectories) {
  folder.write("pdf/a b/empty/.hidden", "");
  serve_skills(app, folder.path());
  EXPECT_THAT(
      at("resources/directory/read", "skill://pdf"),
      HasSubstr(R"("resources":[{"uri":"skill://pdf/SKILL.md","name":"SKILL.md","mimeType":"text/markdown","size":)"));
  EXPECT_THAT(at("resources/directory/read", "skill://pdf"),
              AllOf(HasSubstr(R"({"uri":"skill://pdf/a%20b","name":"a b","mimeType":"inode/directory"})"),
                    HasSubstr(R"({"uri":"skill://pdf/references","name":"references","mimeType":"inode/directory"})")));
  EXPECT_THAT(at("resources/directory/read", "skill://pdf/a%20b/empty"), HasSubstr(R"("resources":[])"));
  for (const auto* uri : {"skill://pdf/SKILL.md", "skill://pdf/none", "skill://group", "skill://"}) {
    EXPECT_THAT(at("resources/directory/read", uri), HasSubstr(R"("code":-32602)")) << uri;
  }
}

TEST_F(ServeSkillsTest, ReadsFilesAsTextOrBytes) {
  serve_skills(app, folder.path());
  EXPECT_THAT(at("resources/read", "skill://pdf/references/forms.md"),
              HasSubstr(R"("mimeType":"text/markdown","text":"# Forms\n")"));
  EXPECT_THAT(at("resources/read", "skill://pdf/icon.bin"),
              HasSubstr(R"("mimeType":"application/octet-stream","blob":"AAH/")"));
  for (const auto* uri : {"skill://README.md", "skill://pdf/../README.md", "skill://pdf/none.md"}) {
    EXPECT_THAT(at("resources/read", uri), HasSubstr(R"("error")")) << uri;
  }
}

TEST_F(ServeSkillsTest, ListsOnlyManifestsAsResources) {
  serve_skills(app, folder.path());
  EXPECT_THAT(
      request("resources/list"),
      AllOf(
          HasSubstr(
              R"({"uri":"skill://pdf/SKILL.md","name":"pdf","description":"About pdf","mimeType":"text/markdown","size":)"),
          Not(HasSubstr("forms.md"))));
}

TEST_F(ServeSkillsTest, UnlistedSkillsCanBeReadByTheirUri) {
  serve_skills(app, folder.path(), {.listed = [](const Skill& skill) { return skill.name() != "pdf"; }});
  EXPECT_THAT(request("skills/list"), Not(HasSubstr("skill://pdf/")));
  EXPECT_THAT(request("resources/list"), Not(HasSubstr("skill://pdf/")));
  EXPECT_THAT(at("skills/get", "skill://pdf/SKILL.md"), HasSubstr(R"("skill":{)"));
  EXPECT_THAT(at("resources/read", "skill://pdf/SKILL.md"), HasSubstr("How to."));
}

TEST_F(ServeSkillsTest, ASkillThatTheCallerMayNotSeeDoesNotExistForHim) {
  app.visible([](EntryKind, std::string_view name, std::string_view principal) {
    return name != "skill://pdf/SKILL.md" || principal == "ann";
  });
  serve_skills(app, folder.path());
  EXPECT_THAT(request("skills/list", "", "bob"), Not(HasSubstr("skill://pdf/")));
  EXPECT_THAT(request("skills/list", "", "ann"), HasSubstr("skill://pdf/"));
  for (const auto& [method, uri] : std::map<std::string, std::string>{{"skills/get", "skill://pdf/SKILL.md"},
                                                                      {"resources/directory/read", "skill://pdf"},
                                                                      {"resources/read", "skill://pdf/icon.bin"}}) {
    EXPECT_THAT(at(method, uri, "bob"), HasSubstr(R"("error")")) << method;
    EXPECT_THAT(at(method, uri, "ann"), HasSubstr(R"("result")")) << method;
  }
  EXPECT_THAT(at("resources/read", "skill://pdf/SKILL.md", "bob"), HasSubstr(R"("error")"));
}

TEST_F(ServeSkillsTest, ASkillIncludesTheFilesOfNestedSkills) {
  folder.write("pdf/inner/SKILL.md", skill_md("inner"));
  const auto served = serve_skills(app, folder.path());
  std::vector<std::string> uris;
  for (const auto& skill : served.skills()) uris.push_back(skill.uri);
  EXPECT_THAT(uris, ElementsAre("skill://group/notes/SKILL.md", "skill://pdf/SKILL.md", "skill://pdf/inner/SKILL.md"));
  EXPECT_NE(served.skills()[1].find("skill://pdf/inner/SKILL.md"), nullptr);
  EXPECT_EQ(served.skills()[2].files()->size(), 1U);
}

TEST_F(ServeSkillsTest, AFolderCanBeASkillItself) {
  const auto served = serve_skills(app, folder.path() / "pdf");
  ASSERT_EQ(served.skills().size(), 1U);
  EXPECT_EQ(served.skills()[0].uri, "skill://pdf/SKILL.md");
}

TEST_F(ServeSkillsTest, ReportsAllMistakesWithFileAndLine) {
  folder.write("wrong/SKILL.md", "---\nlicense: x\nname: other\ndescription: y\n---\n");
  folder.write("Bad--Name/SKILL.md", skill_md("Bad--Name"));
  folder.write("silent/SKILL.md", "---\nname: silent\n---\n");
  folder.write("twice/SKILL.md", "---\nname: twice\nname: twice\n---\n");
  folder.write("bare/SKILL.md", "# No front matter\n");
  EXPECT_EQ(mistakes(),
            "Bad--Name/SKILL.md:2: the name 'Bad--Name' must be that of its folder: 1 to 64 of a-z, 0-9 and single "
            "hyphens\n"
            "bare/SKILL.md:1: does not begin with a YAML front matter between two lines '---'\n"
            "silent/SKILL.md:1: the front matter needs a description\n"
            "twice/SKILL.md:3: is not valid YAML here: the key 'name' occurs twice\n"
            "wrong/SKILL.md:3: the name 'other' must be that of its folder: 1 to 64 of a-z, 0-9 and single hyphens");
}

TEST_F(ServeSkillsTest, RefusesLinksOutOfTheFolderAndToDirectories) {
  const test::SkillsFolder other;
  other.write("secret.txt", "secret");
  std::filesystem::create_symlink(other.path() / "secret.txt", folder.path() / "pdf/out.txt");
  std::filesystem::create_directory_symlink(folder.path() / "group", folder.path() / "pdf/again");
  std::filesystem::create_symlink("missing", folder.path() / "pdf/gone");
  EXPECT_EQ(mistakes(),
            "pdf/again: is a link to a directory; only links to files are followed\n"
            "pdf/gone: is a link to a missing file\n"
            "pdf/out.txt: is a link out of the folder; copy the file instead");
}

TEST_F(ServeSkillsTest, FollowsLinksToFilesInTheFolder) {
  std::filesystem::create_symlink("../README.md", folder.path() / "pdf/about.md");
  serve_skills(app, folder.path());
  EXPECT_THAT(at("resources/read", "skill://pdf/about.md"), HasSubstr("not part of a skill"));
}

TEST_F(ServeSkillsTest, RefusesSkillsOverTheLimits) {
  for (std::size_t i = 0; i < max_files; ++i) folder.write("group/notes/" + std::to_string(i), "x");
  folder.write("pdf/large", std::string(max_bytes + 1, 'x'));
  EXPECT_THAT(mistakes(), AllOf(HasSubstr("pdf/large: has more than 16777216 bytes"),
                                HasSubstr("group/notes/SKILL.md: the skill skill://group/notes/SKILL.md is invalid: it "
                                          "has more than 512 files")));
}

TEST_F(ServeSkillsTest, AMissingFolderIsAnError) {
  EXPECT_THROW(serve_skills(app, folder.path() / "none"), std::invalid_argument);
}

struct ReloadTest : ServeSkillsTest {
  std::vector<server::Change> changes;
  ServedSkills served = serve_skills(app, folder.path());
  server::ChangeSubscription subscription =
      app.subscribe_changes([this](const server::Change& change) { changes.push_back(change); });
};

TEST_F(ReloadTest, SendsNoNotificationWithoutAChange) {
  ASSERT_TRUE(served.reload());
  EXPECT_TRUE(changes.empty());
}

TEST_F(ReloadTest, ServesOldBytesUntilTheReload) {
  folder.write("pdf/references/forms.md", "changed");
  EXPECT_THAT(at("resources/read", "skill://pdf/references/forms.md"), HasSubstr("# Forms"));
  ASSERT_TRUE(served.reload());
  EXPECT_THAT(at("resources/read", "skill://pdf/references/forms.md"), HasSubstr("changed"));
  const server::Change relisted{.kind = EntryKind::resource, .name = "skill://pdf/SKILL.md"};
  const server::Change updated{
      .kind = EntryKind::resource, .name = "skill://pdf/references/forms.md", .contents_changed = true};
  EXPECT_THAT(changes, ElementsAre(relisted, relisted, updated));
}

TEST_F(ReloadTest, AddsAndRemovesSkills) {
  folder.remove("group");
  folder.write("new/SKILL.md", skill_md("new"));
  ASSERT_TRUE(served.reload());
  EXPECT_THAT(request("skills/list"), AllOf(HasSubstr("skill://new/"), Not(HasSubstr("skill://group/"))));
  EXPECT_THAT(request("resources/list"), AllOf(HasSubstr("skill://new/"), Not(HasSubstr("skill://group/"))));
}

TEST_F(ReloadTest, KeepsTheOldSkillsOnAMistake) {
  folder.write("pdf/SKILL.md", "broken");
  const auto reloaded = served.reload();
  ASSERT_FALSE(reloaded);
  EXPECT_THAT(reloaded.error().message, HasSubstr("pdf/SKILL.md:1: "));
  EXPECT_THAT(at("resources/read", "skill://pdf/SKILL.md"), HasSubstr("How to."));
}

}  // namespace
}  // namespace fairlead::skills::serve_test
