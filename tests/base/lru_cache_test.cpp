#include <fairlead/base/lru_cache.hpp>

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <string_view>

namespace fairlead::lru_cache_test {
namespace {

template <class Cache>
std::string keys_of(const Cache& cache) {
  std::string keys;
  for (const auto [key, value] : cache.entries()) keys += key;
  return keys;
}

using Cache = LruCache<std::string, int>;

TEST(LruCache, FindsByKey) {
  Cache cache;
  cache.put("a", 1);
  ASSERT_TRUE(cache.find("a"));
  EXPECT_EQ(*cache.find("a"), 1);
  EXPECT_FALSE(cache.find("b"));
}

TEST(LruCache, EvictsTheLeastRecentlyUsedBeyondItsEntries) {
  Cache cache({.entries = 2});
  cache.put("a", 1);
  cache.put("b", 2);
  cache.find("a");
  cache.put("c", 3);
  EXPECT_EQ(keys_of(cache), "ac");
}

TEST(LruCache, EvictsTheLeastRecentlyUsedBeyondItsWeight) {
  Cache cache({.weight = 10});
  cache.put("a", 1, 4);
  cache.put("b", 2, 4);
  cache.put("c", 3, 6);
  EXPECT_EQ(keys_of(cache), "bc");
  EXPECT_EQ(cache.weight(), 10U);
}

TEST(LruCache, DoesNotStoreWhatAloneExceedsALimit) {
  Cache cache({.weight = 10});
  cache.put("a", 1, 4);
  EXPECT_FALSE(cache.put("b", 2, 11));
  EXPECT_EQ(keys_of(cache), "a");
  EXPECT_FALSE(Cache({.entries = 0}).put("a", 1));
}

TEST(LruCache, ReplacesAnEntryAndItsWeight) {
  Cache cache({.weight = 10});
  cache.put("a", 1, 4);
  cache.put("b", 2, 4);
  cache.put("a", 3, 6);
  EXPECT_EQ(*cache.find("a"), 3);
  EXPECT_EQ(cache.weight(), 10U);
  EXPECT_EQ(keys_of(cache), "ba");
}

TEST(LruCache, APeekDoesNotCountAsUse) {
  Cache cache;
  cache.put("a", 1);
  cache.put("b", 2);
  EXPECT_EQ(*cache.peek("a"), 1);
  EXPECT_EQ(*cache.oldest(), 1);
}

TEST(LruCache, TakesAnEntryOut) {
  Cache cache;
  cache.put("a", 1, 5);
  EXPECT_EQ(cache.take("a"), 1);
  EXPECT_EQ(cache.take("a"), std::nullopt);
  EXPECT_EQ(cache.size(), 0U);
  EXPECT_EQ(cache.weight(), 0U);
  EXPECT_FALSE(cache.oldest());
}

TEST(LruCache, ErasesEntriesThatMeetACondition) {
  Cache cache;
  for (const int i : {1, 2, 3, 4}) cache.put(std::to_string(i), i);
  cache.erase_if([](const std::string&, int value) { return value % 2 == 0; });
  EXPECT_EQ(keys_of(cache), "13");
}

TEST(LruCache, ErasesARangeOfKeys) {
  Cache cache;
  for (const auto* key : {"b2", "a1", "b1", "c1"}) cache.put(key, 0, 1);
  cache.erase_from("b", [](const std::string& key) { return key.starts_with('b'); });
  EXPECT_EQ(keys_of(cache), "a1c1");
  EXPECT_EQ(cache.weight(), 2U);
}

TEST(LruCache, AKeyMayReferToItsValue) {
  LruCache<std::string_view, std::unique_ptr<std::string>, HashIndex> cache({.entries = 1});
  for (const auto* text : {"a long text that is stored on the heap", "another long text, stored on the heap too"}) {
    auto value = std::make_unique<std::string>(text);
    const std::string_view key = *value;
    cache.put(key, std::move(value));
  }
  ASSERT_EQ(cache.size(), 1U);
  EXPECT_EQ(**cache.oldest(), "another long text, stored on the heap too");
}

}  // namespace
}  // namespace fairlead::lru_cache_test
