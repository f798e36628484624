#include "gateway/model/task_seal.hpp"

#include <gtest/gtest.h>

namespace fairlead::gateway::test::task_seal_test {
namespace {

const TaskReference task{.tool = "film", .id = "studio/t/1"};
const TaskHandleBinding anna{.virtual_server = "gateway", .principal = "anna"};

TaskSeal seal_of(std::uint8_t byte) {
  TaskSeal::Secret secret{};
  secret.fill(byte);
  return TaskSeal(secret);
}

TEST(TaskSeal, OpensWhatItSealedInAnotherProcessToo) {
  const auto opened = seal_of(1).open(seal_of(1).seal(task, anna), anna);
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->tool, "film");
  EXPECT_EQ(opened->id, "studio/t/1");
}

TEST(TaskSeal, GivesOneTaskOneName) {
  const auto seal = seal_of(1);
  EXPECT_EQ(seal.seal(task, anna), seal.seal(task, anna));
  EXPECT_NE(seal.seal(task, anna), seal.seal({.tool = "film", .id = "studio/t/2"}, anna));
  EXPECT_NE(seal.seal(task, anna), seal.seal({.tool = "poster", .id = "studio/t/1"}, anna));
}

TEST(TaskSeal, Attack_RejectsTheHandleOfAnotherPrincipalServerOrKey) {
  const auto handle = seal_of(1).seal(task, anna);
  EXPECT_FALSE(seal_of(1).open(handle, {.virtual_server = "gateway", .principal = "ben"}));
  EXPECT_FALSE(seal_of(1).open(handle, {.virtual_server = "gateway", .principal = ""}));
  EXPECT_FALSE(seal_of(1).open(handle, {.virtual_server = "studio", .principal = "anna"}));
  EXPECT_FALSE(seal_of(1).open(handle, {.virtual_server = "gatewayanna", .principal = ""}));
  EXPECT_FALSE(seal_of(2).open(handle, anna)) << "of another gateway";
}

TEST(TaskSeal, Attack_RejectsAnyChangedByteAndAnyOtherText) {
  const auto seal = seal_of(1);
  const auto handle = seal.seal(task, anna);
  for (std::size_t i = 0; i < handle.size(); ++i) {
    auto changed = handle;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(seal.open(changed, anna)) << i;
  }
  for (const auto* text : {"", "A", "AQ", "studio/t/1", "../..", "t 1"}) EXPECT_FALSE(seal.open(text, anna)) << text;
  EXPECT_FALSE(seal.open(std::string(1'000'000, 'A'), anna));
}

TEST(TaskSeal, HidesServerAndId) {
  EXPECT_EQ(seal_of(1).seal(task, anna).find("studio"), std::string::npos);
}

TEST(TaskSeal, TheServerIsInFrontOfTheId) {
  const auto id = qualified_task_id("studio", "a/b");
  const auto parts = split_task_id(id);
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->first, "studio");
  EXPECT_EQ(parts->second, "a/b");
  EXPECT_FALSE(split_task_id("t1"));
}

}  // namespace
}  // namespace fairlead::gateway::test::task_seal_test
