#include <fairlead/store/session_id.hpp>

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace fairlead::store::session_id_test {
namespace {

TEST(SessionId, S2_35_IsVisibleAscii) {
  for (const char c : make_session_id(12)) {
    EXPECT_GE(c, 0x21);
    EXPECT_LE(c, 0x7e);
  }
}

TEST(SessionId, S2_34_HasTwentyTwoRandomDigitsAndNeverRepeats) {
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(make_session_id(0));
  EXPECT_EQ(seen.size(), 1000u);
  EXPECT_EQ(make_session_id(0).size(), 2 + 22u);  // 128 bits in base64.
}

TEST(SessionId, ContainsItsWorker) {
  EXPECT_EQ(worker_of(make_session_id(7)), 7u);
}

TEST(SessionId, MalformedIdHasNoWorker) {
  for (const auto* text : {"", ".", "7", "-1.abc", "x.abc", "99999999999999999999999.a"}) {
    EXPECT_FALSE(worker_of(text)) << text;
  }
}

}  // namespace
}  // namespace fairlead::store::session_id_test
