#include <fairlead/auth/credential_store.hpp>

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/test_loop.hpp>
#include <sys/stat.h>
#include <unistd.h>

namespace fairlead::auth::credential_store_test {
namespace {

namespace fs = std::filesystem;

constexpr auto helper = R"sh(#!/bin/sh
cd "$(dirname "$0")" && mkdir -p kept && cd kept || exit 1
case $1 in
  get) cat "$2" 2>/dev/null ;;
  store) cat > "$2" ;;
  erase) rm -f "$2" ;;
  list) ls ;;
esac
)sh";

class CredentialStoreTest : public testing::TestWithParam<bool> {
 protected:
  CredentialStoreTest() {
    fs::create_directory(folder_);
    std::ofstream(folder_ / "helper") << helper;
    ::chmod((folder_ / "helper").c_str(), 0700);
  }
  ~CredentialStoreTest() override { fs::remove_all(folder_); }

  std::shared_ptr<CredentialStore> store() const {
    const auto locks = (folder_ / "locks").string();
    return GetParam() ? command_store({(folder_ / "helper").string()}, locks) : file_store(locks);
  }

  fs::path folder_ = fs::temp_directory_path() / ("fairlead-store-" + std::to_string(::getpid()));
  test::TestLoop test_;
  StoreKey key_{.server = "https://tools.example/mcp", .account = "work"};
};

TEST_P(CredentialStoreTest, KeepsAndRemovesLogins) {
  const auto kept = store();
  EXPECT_EQ(test_.run(kept->load(key_)).value(), std::nullopt);
  const auto lock = test_.run(kept->lock(test_.loop(), key_, std::chrono::seconds{5}));
  ASSERT_TRUE(lock) << lock.error().message;
  ASSERT_TRUE(test_.run(kept->save(key_, {.server = key_.server, .access_token = "t1"})));
  EXPECT_EQ(test_.run(store()->load(key_)).value().value().access_token, "t1");
  EXPECT_EQ(test_.run(store()->list()).value().size(), 1U);
  ASSERT_TRUE(test_.run(kept->remove(key_)));
  EXPECT_EQ(test_.run(kept->list()).value().size(), 0U);
}

TEST_P(CredentialStoreTest, KeepsOneLoginForAllSpellingsOfAUrl) {
  const auto kept = store();
  const auto lock = test_.run(kept->lock(test_.loop(), key_, std::chrono::seconds{5}));
  ASSERT_TRUE(test_.run(kept->save(key_, {.server = key_.server, .access_token = "t1"})));
  key_.server = "HTTPS://Tools.Example:443/mcp";
  EXPECT_TRUE(test_.run(kept->load(key_)).value());
}

TEST_P(CredentialStoreTest, NoticesTheChangesOfAnotherProcess) {
  const auto mine = store(), other = store();
  const auto lock = test_.run(other->lock(test_.loop(), key_, std::chrono::seconds{5}));
  const auto version = mine->version_of(key_);
  const auto before = version();
  ASSERT_TRUE(test_.run(other->save(key_, {.server = key_.server, .access_token = "t1"})));
  const auto saved = version();
  EXPECT_NE(saved, before);
  EXPECT_EQ(version(), saved);
  // The resolution of file times is that of the kernel's clock tick.
  while (version() == saved) ASSERT_TRUE(test_.run(other->remove(key_)));
}

INSTANTIATE_TEST_SUITE_P(Files, CredentialStoreTest, testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Helper, CredentialStoreTest, testing::Values(true));

}  // namespace
}  // namespace fairlead::auth::credential_store_test
