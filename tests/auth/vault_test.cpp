#include <fairlead/auth/credential_store.hpp>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>
#include <support/test_loop.hpp>

namespace fairlead::auth::vault_test {
namespace {

using testing::HasSubstr;
using testing::Not;

class Vault : public testing::Test {
 protected:
  Vault() : folder_(testing::TempDir() + "/vault-" + std::to_string(::getpid())) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    write_key("key");
  }
  ~Vault() override { std::filesystem::remove_all(folder_); }

  void write_key(const std::string& name) {
    std::ofstream(path(name)) << new_vault_key();
    std::filesystem::permissions(path(name), std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::shared_ptr<CredentialStore> open(const std::string& key = "key") const {
    auto store = vault_store(path("logins"), path(key));
    EXPECT_TRUE(store) << store.error().message;
    return store.value_or(memory_store());
  }
  void save(const std::string& account) {
    Stored login{.access_token = "secret-of-" + account};
    EXPECT_TRUE(test_.run(open()->save({.server = "https://h.example/mcp", .account = account}, login)));
  }
  auto load(CredentialStore& store, const std::string& account) {
    return test_.run(store.load({.server = "https://h.example/mcp", .account = account}));
  }
  std::vector<std::string> files() const {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(path("logins"))) all.push_back(entry.path().string());
    return all;
  }
  static std::string content(const std::string& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }

  test::TestLoop test_;
  std::string folder_;
};

TEST_F(Vault, GivesBackWhatItEncrypted) {
  save("ann");
  const auto loaded = load(*open(), "ann");
  ASSERT_TRUE(loaded && *loaded);
  EXPECT_EQ((*loaded)->access_token, "secret-of-ann");
  EXPECT_EQ((*loaded)->account, "ann");
  EXPECT_EQ(test_.run(open()->list()).value().size(), 1U);
  ASSERT_EQ(files().size(), 1U);
  for (const auto* text : {"secret", "ann", "h.example"}) EXPECT_THAT(content(files().front()), Not(HasSubstr(text)));
}

TEST_F(Vault, AttackRefusesALoginThatWasCopiedToAnotherAccount) {
  save("ann");
  const auto of_ann = files().front();
  save("bob");
  for (const auto& file : files()) {
    if (file != of_ann) std::filesystem::copy_file(of_ann, file, std::filesystem::copy_options::overwrite_existing);
  }
  EXPECT_THAT(load(*open(), "bob").error().message, HasSubstr("cannot be decrypted"));
}

TEST_F(Vault, CannotBeReadWithAnotherKey) {
  save("ann");
  write_key("other");
  EXPECT_THAT(load(*open("other"), "ann").error().message, HasSubstr("the key file is another one"));
}

TEST_F(Vault, RefusesAKeyThatOthersCanRead) {
  std::filesystem::permissions(path("key"), std::filesystem::perms::all);
  const auto opened = vault_store(path("logins"), path("key"));
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message, HasSubstr("chmod 600"));
}

}  // namespace
}  // namespace fairlead::auth::vault_test
