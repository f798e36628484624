#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "gateway/config/auth_codec.hpp"
#include "gateway/config/fields.hpp"
#include "gateway/fixtures/config_reader.hpp"

// Compares docs/configuration.md with the keys that are read.
namespace fairlead::gateway::test::config_docs_test {
namespace {

std::string page() {
  std::ifstream file(FAIRLEAD_SOURCE_DIR "/docs/configuration.md");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> blocks(const std::string& text, const std::string& language) {
  const auto fence = "```" + language + "\n";
  std::vector<std::string> found;
  for (auto at = text.find(fence); at != std::string::npos; at = text.find(fence, at)) {
    at += fence.size();
    const auto end = text.find("```", at);
    found.push_back(text.substr(at, end - at));
  }
  return found;
}

template <class T>
void expect_every_key_in(const std::string& text) {
  for (const auto& field : config::Fields<T>::all) {
    EXPECT_TRUE(text.find(std::string(field.name) + "`") != std::string::npos ||
                text.find("`" + std::string(field.name) + ".") != std::string::npos)
        << field.name;
  }
}

TEST(ConfigurationPage, ShowsValidExamples) {
  std::size_t count = 0;
  for (const auto* language : {"yaml", "json"}) {
    for (const auto& example : blocks(page(), language)) {
      const auto loaded = read_text(example);
      EXPECT_TRUE(loaded) << example << loaded.error().message;
      ++count;
    }
  }
  EXPECT_GE(count, 4U);
}

TEST(ConfigurationPage, NamesEveryKey) {
  const auto text = page();
  expect_every_key_in<ServerConfig>(text);
  expect_every_key_in<RestartConfig>(text);
  expect_every_key_in<ServerAuthConfig>(text);
  expect_every_key_in<OAuthConfig>(text);
  expect_every_key_in<IdentityProviderConfig>(text);
  expect_every_key_in<VaultConfig>(text);
  expect_every_key_in<ListenConfig>(text);
  expect_every_key_in<ListenTlsConfig>(text);
  expect_every_key_in<transport::HttpPaths>(text);
  expect_every_key_in<NamingConfig>(text);
  expect_every_key_in<PendingInputConfig>(text);
  expect_every_key_in<LogConfig>(text);
  expect_every_key_in<TraceConfig>(text);
  expect_every_key_in<GatewayConfig>(text);
}

}  // namespace
}  // namespace fairlead::gateway::test::config_docs_test
