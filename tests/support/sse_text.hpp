#pragma once

#include <fairlead/http/sse.hpp>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace fairlead::test {

inline std::vector<http::SseEvent> events(const std::string& stream) {
  http::SseParser parser;
  EXPECT_TRUE(parser.feed(stream));
  std::vector<http::SseEvent> all;
  while (auto event = parser.next()) all.push_back(std::move(*event));
  return all;
}

/// Data of all events with data.
inline std::vector<std::string> event_data(const std::string& stream) {
  std::vector<std::string> texts;
  for (auto& event : events(stream)) {
    if (!event.data.empty()) texts.push_back(std::move(event.data));
  }
  return texts;
}

inline std::string last_id(const std::string& stream) {
  return events(stream).back().id;
}

}  // namespace fairlead::test
