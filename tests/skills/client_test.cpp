#include <fairlead/skills/client.hpp>

#include <fairlead/server.hpp>
#include <fairlead/skills/serve.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "skills/skills_folder.hpp"

namespace fairlead::skills::client_test {
namespace {

using client::Failure;
using test::skill_md;
using testing::HasSubstr;
using testing::SizeIs;

std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Failure& failure) {
    return failure.error().message;
  }
  return "none";
}

/// A client of a server in this process, in both eras.
struct SkillsClientTest : testing::TestWithParam<client::EraPreference> {
  test::SkillsFolder folder;
  server::Server app{"demo", "1.0"};
  client::ClientOptions options;

  SkillsClientTest() {
    folder.write("pdf/SKILL.md", skill_md("pdf", "version: 1.10\ntags: [a, {b: null}]\n"));
    folder.write("pdf/references/two words.md", "# Forms\n");
    folder.write("pdf/icon.bin", std::string("\x00\x01\xff", 3));
    options.era = GetParam();
  }
};

TEST_P(SkillsClientTest, LoadsASkillAndItsFiles) {
  folder.write("notes/SKILL.md", skill_md("notes"));
  serve_skills(app, folder.path(), {.page_size = 1});
  client::Client client(app, options);
  const auto skills = list_skills(client);
  ASSERT_THAT(skills, SizeIs(2));
  auto loaded = load_skill(client, skills[1]);
  EXPECT_EQ(loaded.skill().name(), "pdf");
  EXPECT_EQ(loaded.skill().description(), "About pdf");
  EXPECT_THAT(loaded.text(), HasSubstr("How to."));
  EXPECT_EQ(loaded.read("references/two words.md"), "# Forms\n");
  EXPECT_EQ(loaded.read("icon.bin"), std::string("\x00\x01\xff", 3));
  EXPECT_THAT(error_of([&] { loaded.read("../notes/SKILL.md"); }), HasSubstr("does not list a file"));
  EXPECT_THAT(error_of([&] { loaded.read("none"); }), HasSubstr("does not list a file 'none'"));
}

TEST_P(SkillsClientTest, GetsOneSkill) {
  serve_skills(app, folder.path());
  client::Client client(app, options);
  EXPECT_EQ(get_skill(client, "skill://pdf/SKILL.md").name(), "pdf");
  EXPECT_THAT(error_of([&] { get_skill(client, "skill://none/SKILL.md"); }), HasSubstr("skill://none/SKILL.md"));
}

TEST_P(SkillsClientTest, AServerWithoutTheExtensionHasNoSkills) {
  client::Client client(app, options);
  EXPECT_THAT(error_of([&] { list_skills(client); }), HasSubstr("'demo' has no skills"));
}

TEST_P(SkillsClientTest, RefusesAFileThatChangedSinceItWasListed) {
  auto served = serve_skills(app, folder.path());
  client::Client client(app, options);
  auto loaded = load_skill(client, list_skills(client).front());
  folder.write("pdf/icon.bin", "abc");
  folder.write("pdf/references/two words.md", "longer than before");
  ASSERT_TRUE(served.reload());
  EXPECT_THAT(error_of([&] { loaded.read("icon.bin"); }), HasSubstr("the digest of skill://pdf/icon.bin is not"));
  EXPECT_THAT(error_of([&] { loaded.read("references/two words.md"); }), HasSubstr("has 18 bytes, its entry says 8"));
}

TEST_P(SkillsClientTest, ListsAChangedSkillAnewWhileItsListMayBeCached) {
  auto served = serve_skills(app, folder.path(), {.ttl = std::chrono::hours{1}});
  client::Client client(app, options);
  list_skills(client);
  folder.write("pdf/icon.bin", "abc");
  ASSERT_TRUE(served.reload());
  EXPECT_EQ(load_skill(client, list_skills(client).front()).read("icon.bin"), "abc");
}

TEST_P(SkillsClientTest, RefusesAFrontMatterThatDiffersFromTheEntry) {
  serve_skills(app, folder.path());
  client::Client client(app, options);
  auto skill = list_skills(client).front();
  skill.frontmatter =
      json::Payload::trusted(R"({"tags":["a",{"b":null}],"version":1.1,"description":"About pdf","name":"pdf"})");
  EXPECT_NO_THROW(load_skill(client, skill));
  skill.frontmatter =
      json::Payload::trusted(R"({"tags":["a",{"b":false}],"version":1.1,"description":"About pdf","name":"pdf"})");
  EXPECT_THAT(error_of([&] { load_skill(client, skill); }), HasSubstr("the front matter of SKILL.md is not that"));
}

TEST_P(SkillsClientTest, ReadsFilesOfADynamicSkillOnlyBelowItsDirectory) {
  serve_skills(app, folder.path());
  client::Client client(app, options);
  auto skill = list_skills(client).front();
  skill.resources = "dynamic";
  auto loaded = load_skill(client, skill);
  EXPECT_EQ(loaded.read("references/two words.md"), "# Forms\n");
  for (const auto* path : {"", "/etc", "../notes/SKILL.md", "a/./b", "a//b"}) {
    EXPECT_THAT(error_of([&] { loaded.read(path); }), HasSubstr("must be relative")) << path;
  }
}

INSTANTIATE_TEST_SUITE_P(Eras, SkillsClientTest,
                         testing::Values(client::EraPreference::handshake, client::EraPreference::stateless));

struct EntryTest : testing::Test {
  Skill skill{.uri = "skill://pdf/SKILL.md",
              .frontmatter = json::Payload::trusted(R"({"name":"pdf","description":"x"})"),
              .resources = std::vector{file("skill://pdf/SKILL.md")}};

  static SkillFile file(std::string uri, std::int64_t size = 1) {
    return {.uri = std::move(uri), .digest = "sha256:" + std::string(64, '0'), .size = size};
  }
  std::vector<SkillFile>& files() { return std::get<std::vector<SkillFile>>(skill.resources); }
  std::string problem() const {
    const auto checked = check_entry(skill);
    return checked ? "none" : checked.error().message;
  }
};

TEST_F(EntryTest, AcceptsAValidEntry) {
  EXPECT_EQ(problem(), "none");
  skill.resources = "dynamic";
  EXPECT_EQ(problem(), "none");
  skill.resources = "static";
  EXPECT_THAT(problem(), HasSubstr("neither a list nor 'dynamic'"));
}

TEST_F(EntryTest, ChecksNamesAndUris) {
  skill.uri = "skill://pdf/skill.md";
  EXPECT_THAT(problem(), HasSubstr("does not end in /SKILL.md"));
  skill.uri = "skill://other/SKILL.md";
  EXPECT_THAT(problem(), HasSubstr("is not the last part of its directory"));
  skill.frontmatter = json::Payload::trusted(R"({"name":"pdf"})");
  EXPECT_THAT(problem(), HasSubstr("no description"));
  for (const auto* name : {"", "-a", "a-", "a--b", "A", "a_b"}) EXPECT_FALSE(is_skill_name(name)) << name;
  EXPECT_TRUE(is_skill_name("a-1"));
  EXPECT_TRUE(is_skill_name(std::string(64, 'a')));
  EXPECT_FALSE(is_skill_name(std::string(65, 'a')));
}

TEST_F(EntryTest, ChecksFiles) {
  files().push_back(file("skill://other/x"));
  EXPECT_THAT(problem(), HasSubstr("skill://other/x is outside its directory"));
  files().back() = file("skill://pdf/../x");
  EXPECT_THAT(problem(), HasSubstr("is outside its directory"));
  files().back() = file("skill://pdf/x", -1);
  EXPECT_THAT(problem(), HasSubstr("is negative"));
  files().back() = file("skill://pdf/SKILL.md");
  EXPECT_THAT(problem(), HasSubstr("lists skill://pdf/SKILL.md twice"));
  files().back() = file("skill://pdf/x", max_bytes);
  EXPECT_THAT(problem(), HasSubstr("more than 16777216 bytes"));
  files().back() = {.uri = "skill://pdf/x", .digest = "sha256:" + std::string(64, 'A'), .size = 1};
  EXPECT_THAT(problem(), HasSubstr("the digest of skill://pdf/x"));
  files() = {file("skill://pdf/x")};
  EXPECT_THAT(problem(), HasSubstr("its SKILL.md is not among its files"));
  files().assign(max_files + 1, file("skill://pdf/x"));
  EXPECT_THAT(problem(), HasSubstr("more than 512 files"));
}

}  // namespace
}  // namespace fairlead::skills::client_test
