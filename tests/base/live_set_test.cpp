#include "base/live_set.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace fairlead::live_set_test {
namespace {

struct Object {
  explicit Object(LiveSet<Object>& in) : all(in) { all.insert(this); }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  ~Object() { all.erase(this); }
  LiveSet<Object>& all;
};

TEST(LiveSet, Finding_S1_VisitedObjectsMayDestroyThemselvesAndOthers) {
  LiveSet<Object> all;
  std::vector<std::unique_ptr<Object>> objects;
  for (int i = 0; i < 5; ++i) objects.push_back(std::make_unique<Object>(all));
  int visited = 0;
  all.for_each([&](Object&) {
    ++visited;
    objects.clear();
  });
  EXPECT_EQ(visited, 1);
  EXPECT_TRUE(all.empty());
}

TEST(LiveSet, DoesNotVisitObjectsAddedMeanwhile) {
  LiveSet<Object> all;
  const Object first(all);
  std::vector<std::unique_ptr<Object>> more;
  int visited = 0;
  all.for_each([&](Object&) {
    ++visited;
    more.push_back(std::make_unique<Object>(all));
  });
  EXPECT_EQ(visited, 1);
  EXPECT_EQ(all.size(), 2U);
}

}  // namespace
}  // namespace fairlead::live_set_test
