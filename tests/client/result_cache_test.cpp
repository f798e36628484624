#include "client/result_cache.hpp"

#include <fairlead/client.hpp>
#include <gtest/gtest.h>

#include "client/scripted_server.hpp"

namespace fairlead::client::result_cache_test {
namespace {

using namespace std::chrono_literals;
using json::Payload;

struct ResultCacheTest : testing::Test {
  static Payload json(std::string text) { return Payload::trusted(std::move(text)); }

  void store(const std::string& method, std::string params = "{}", std::string_view ttl = "1000") {
    cache.store(method, json(std::move(params)), json(R"({"tools":[],"ttlMs":)" + std::string(ttl) + "}"));
  }
  bool has(const std::string& method, std::string params = "{}") {
    return cache.find(method, json(std::move(params))).has_value();
  }

  ManualClock clock;
  ResultCache cache{clock};
};

TEST_F(ResultCacheTest, KeepsAResultForItsTtl) {
  store("tools/list");
  clock.advance(999ms);
  EXPECT_TRUE(has("tools/list"));
  clock.advance(1ms);
  EXPECT_FALSE(has("tools/list"));
}

TEST_F(ResultCacheTest, IgnoresAResultWithoutAValidTtl) {
  cache.store("tools/list", json("{}"), json(R"({"tools":[]})"));
  EXPECT_FALSE(has("tools/list"));
  for (const std::string_view ttl : {"0", "-5", "\"soon\"", "null"}) {
    store("tools/list", "{}", ttl);
    EXPECT_FALSE(has("tools/list")) << ttl;
  }
}

TEST_F(ResultCacheTest, KeysByParams) {
  store("tools/list", R"({"cursor":"2"})");
  EXPECT_FALSE(has("tools/list"));
  EXPECT_FALSE(has("prompts/list", R"({"cursor":"2"})"));
  EXPECT_TRUE(has("tools/list", R"({"cursor":"2"})"));
}

TEST_F(ResultCacheTest, ListChangedInvalidatesLists) {
  for (const auto* method : {"tools/list", "prompts/list", "resources/list", "resources/templates/list"}) store(method);
  cache.on_notification("notifications/tools/list_changed", Payload());
  EXPECT_FALSE(has("tools/list"));
  EXPECT_TRUE(has("prompts/list"));
  cache.on_notification("notifications/resources/list_changed", Payload());
  EXPECT_FALSE(has("resources/list"));
  EXPECT_FALSE(has("resources/templates/list"));
}

TEST_F(ResultCacheTest, ResourceUpdatedInvalidatesItsReads) {
  store("resources/read", R"({"uri":"a://1"})");
  store("resources/read", R"({"uri":"a://2"})");
  cache.on_notification("notifications/resources/updated", json(R"({"uri":"a://1"})"));
  EXPECT_FALSE(has("resources/read", R"({"uri":"a://1"})"));
  EXPECT_TRUE(has("resources/read", R"({"uri":"a://2"})"));
}

TEST_F(ResultCacheTest, LimitsEntries) {
  for (std::size_t i = 0; i < 10 * ResultCache::max_entries; ++i) store("resources/read", std::to_string(i));
  EXPECT_FALSE(has("resources/read", "0"));
  EXPECT_TRUE(has("resources/read", std::to_string(10 * ResultCache::max_entries - 1)));
}

TEST_F(ResultCacheTest, KeepsTheResultsInUse) {
  for (std::size_t i = 0; i < 2 * ResultCache::max_entries; ++i) {
    store("resources/read", std::to_string(i));
    EXPECT_TRUE(has("resources/read", "0")) << i;
  }
}

constexpr auto counting = R"(
if method == "server/discover": discovered(["2026-07-28"])
elif method == "tools/list":
    count = globals().get("count", 0) + 1
    result({"resultType": "complete", "tools": [{"name": "t%d" % count, "inputSchema": {"type": "object"}}], "ttlMs": 60000, "cacheScope": "private"})
)";

TEST(CachedResults, ServesAListFromTheCache) {
  auto server = connect(scripted_server(counting));
  EXPECT_EQ(server.tools().front().name, "t1");
  EXPECT_EQ(server.tools().front().name, "t1");
}

TEST(CachedResults, FetchesAgainIfTheCacheIsDisabled) {
  ClientOptions options;
  options.cache = false;
  auto server = connect(scripted_server(counting), options);
  EXPECT_EQ(server.tools().front().name, "t1");
  EXPECT_EQ(server.tools().front().name, "t2");
}

}  // namespace
}  // namespace fairlead::client::result_cache_test
