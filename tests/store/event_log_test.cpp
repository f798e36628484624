#include <fairlead/store/event_log.hpp>

#include <gtest/gtest.h>
#include <set>

#include "support/test_loop.hpp"

namespace fairlead::store::event_log_test {
namespace {

std::vector<std::string> rest(EventLog& log, EventId last) {
  test::TestLoop loop;
  std::vector<std::string> texts;
  for (const auto& event : loop.run(log.after(last))) texts.push_back(*event.data);
  return texts;
}

using Texts = std::vector<std::string>;

SharedText text(std::string content) {
  return std::make_shared<const std::string>(std::move(content));
}

TEST(EventId, ParsesItsOwnText) {
  const EventId id{.stream = 3, .sequence = 17};
  EXPECT_EQ(id.text(), "3-17");
  EXPECT_EQ(EventId::parse(id.text()), id);
  EXPECT_EQ(EventId::parse(id.text(4)), id);
  EXPECT_NE(id.text(), id.text(4));
}

TEST(EventId, FormatsTheLargestNumbers) {
  const EventId id{.stream = 4294967295, .sequence = 18446744073709551615U};
  EXPECT_EQ(id.text(4294967295), "4294967295-18446744073709551615.4294967295");
}

TEST(EventId, RejectsInvalidTexts) {
  for (const auto* text : {"", "3", "3-", "-3", "3-17x", "3-17.", "a-b", "3--1", "03-1", "3-01", " 3-1", "3-1\n",
                           "99999999999-1", "3-99999999999999999999", "3-1.2.3"}) {
    EXPECT_FALSE(EventId::parse(text)) << text;
  }
}

TEST(EventLog, S2_29_IdsAreUniqueOverAllStreams) {
  const auto log = memory_event_log();
  std::set<std::string> ids;
  for (std::uint32_t i = 0; i < 100; ++i) ids.insert(log->add(i % 3, text("x")).text());
  EXPECT_EQ(ids.size(), 100u);
}

TEST(EventLog, NumbersEvents) {
  const auto log = memory_event_log({.max_events = 2});
  for (std::uint64_t i = 1; i < 6; ++i) {
    EXPECT_EQ(log->add(7, text(std::to_string(i))), (EventId{.stream = 7, .sequence = i}));
  }
}

TEST(EventLog, S2_31_ReplaysEventsOfTheSameStream) {
  const auto log = memory_event_log();
  const auto first = log->add(1, text("a"));
  log->add(1, text("b"));
  log->add(1, text("c"));
  EXPECT_EQ(rest(*log, first), (Texts{"b", "c"}));
  EXPECT_EQ(rest(*log, {.stream = 1}), (Texts{"a", "b", "c"}));
}

TEST(EventLog, S2_32_DoesNotReplayOtherStreams) {
  const auto log = memory_event_log();
  const auto first = log->add(1, text("mine"));
  log->add(2, text("theirs"));
  EXPECT_EQ(rest(*log, first), Texts{});
  EXPECT_EQ(rest(*log, {.stream = 2, .sequence = first.sequence}), Texts{"theirs"});
}

TEST(EventLog, DropsOldestBeyondMaxEvents) {
  const auto log = memory_event_log({.max_events = 4});
  for (int i = 0; i < 6; ++i) log->add(1, text(std::to_string(i)));
  const auto kept = rest(*log, {.stream = 1});
  EXPECT_LE(kept.size(), 4u);
  EXPECT_EQ(kept.back(), "5");
}

TEST(EventLog, DropsOldestBeyondMaxBytes) {
  const auto log = memory_event_log({.max_bytes = 100});
  for (int i = 0; i < 100; ++i) log->add(1, text(std::string(10, 'x')));
  EXPECT_LE(rest(*log, {.stream = 1}).size(), 10u);
}

TEST(EventLog, Finding_S12_LimitAppliesToTheNewestEvent) {
  const auto log = memory_event_log({.max_bytes = 100});
  log->add(1, text("small"));
  const auto large = text(std::string(1000, 'x'));
  EXPECT_EQ(log->add(1, large).sequence, 2u);
  EXPECT_EQ(large.use_count(), 1);
  EXPECT_EQ(log->add(1, nullptr).sequence, 3u);
  EXPECT_EQ(rest(*log, {.stream = 1}), Texts{"small"});
}

TEST(EventLog, Finding_S12_SharesEqualTexts) {
  SharedTextCache recent;
  std::vector<std::unique_ptr<EventLog>> logs;
  const auto content = recent.share(std::string(1000, 'x'));
  for (int i = 0; i < 40; ++i) {
    logs.push_back(memory_event_log());
    logs.back()->add(0, recent.share(std::string(1000, 'x')));
  }
  EXPECT_EQ(content.use_count(), 41);
  EXPECT_NE(recent.share("another"), content);
}

}  // namespace
}  // namespace fairlead::store::event_log_test
