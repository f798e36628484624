#include <algorithm>
#include <array>
#include <ctime>
#include <fairlead/json/scan.hpp>
#include <functional>
#include <gtest/gtest.h>

namespace fairlead::json::scan_time_test {
namespace {

using MakeText = std::function<std::string(std::size_t)>;

// Of this thread alone, so that a busy machine does not matter.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double quickest_scan(const std::string& text) {
  constexpr std::array<std::string_view, 2> names = {"params", "_meta"};
  double best = 1e9;
  MemberIndex index;
  for (int i = 0; i < 3; ++i) {
    const double start = cpu_seconds();
    scan(text, {.max_depth = 1024, .indexed_names = names}, &index);
    best = std::min(best, cpu_seconds() - start);
  }
  return best;
}

// Eight times the text takes about eight times as long, and 64 times as long where the walk is quadratic.
void expect_linear(const MakeText& make) {
  const double small = quickest_scan(make(400'000));
  const double large = quickest_scan(make(3'200'000));
  EXPECT_LT(large / std::max(small, 50e-6), 30) << small << " s, then " << large << " s";
}

std::string repeated(std::string_view unit, std::size_t size) {
  std::string text;
  while (text.size() < size) text += unit;
  return text;
}

TEST(ScanTime, IsLinearInOpenBrackets) {
  expect_linear([](std::size_t size) { return std::string(size, '['); });
  expect_linear([](std::size_t size) { return std::string(size / 2, '[') + std::string(size / 2, ']'); });
}

TEST(ScanTime, IsLinearInIndexedObjects) {
  expect_linear([](std::size_t size) { return repeated("{\"_meta\":", size) + "1" + std::string(size / 9 + 1, '}'); });
  expect_linear([](std::size_t size) { return "{\"params\":{" + repeated("\"_meta\":{},", size) + "\"a\":1}}"; });
  expect_linear([](std::size_t size) { return "{\"a\":[" + repeated("{\"_meta\":{\"params\":{}}},", size) + "1]}"; });
}

TEST(ScanTime, IsLinearInTheNumberOfNames) {
  const auto names = [](std::size_t size, std::string_view prefix) {
    std::string text = "{\"params\":{";
    for (int i = 0; text.size() < size; ++i)
      text += std::string("\"") + std::string(prefix) + std::to_string(i) + "\":0,";
    return text + "\"z\":{}},\"_meta\":{},\"y\":1}";
  };
  expect_linear([&](std::size_t size) { return names(size, "k"); });
  expect_linear([&](std::size_t size) { return names(size, "\\n"); });
}

TEST(ScanTime, IsLinearInBackslashes) {
  expect_linear([](std::size_t size) { return "\"" + std::string(size / 2 * 2, '\\') + "\""; });
  expect_linear([](std::size_t size) { return "[" + repeated("\"\\\\\",", size) + "1]"; });
  expect_linear([](std::size_t size) { return "[" + repeated("\"\",", size) + "\"\\n\"]"; });
  expect_linear([](std::size_t size) { return std::string(size, '\\'); });
}

TEST(ScanTime, IsLinearInWhiteSpace) {
  expect_linear([](std::size_t size) { return "{\"a\":1" + std::string(size, ' ') + "}"; });
  expect_linear([](std::size_t size) { return "{\"a\":" + repeated("[ ", size / 2) + std::string(size / 2, ' '); });
}

TEST(ScanTime, IsLinearInDigits) {
  expect_linear([](std::size_t size) { return "[" + std::string(size, '1') + "]"; });
}

}  // namespace
}  // namespace fairlead::json::scan_time_test
