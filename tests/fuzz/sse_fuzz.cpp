// The events do not depend on how the stream is split; a written event is read back as exactly one event.
#include <algorithm>
#include <cstdlib>
#include <fairlead/http/sse.hpp>
#include <vector>

namespace {

using namespace fairlead::http;

void require(bool truth) {
  if (!truth) std::abort();
}

struct Outcome {
  std::vector<SseEvent> events = {};
  std::string last_id = {};
  bool failed = false;
  bool operator==(const Outcome&) const = default;
};

Outcome parse(std::string_view stream, SseLimits limits, std::size_t piece) {
  SseParser parser(limits);
  Outcome outcome;
  for (; !stream.empty(); stream.remove_prefix(std::min(piece, stream.size()))) {
    outcome.failed = !parser.feed(stream.substr(0, piece));
    while (auto event = parser.next()) outcome.events.push_back(std::move(*event));
  }
  outcome.last_id = parser.last_event_id();
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view stream(reinterpret_cast<const char*>(data), size);
  for (const SseLimits limits : {SseLimits{}, SseLimits{.max_line = 20, .max_event = 30}}) {
    const auto whole = parse(stream, limits, size + 1);
    for (const std::size_t piece : {1U, 2U, 3U, 7U}) require(parse(stream, limits, piece) == whole);
  }
  for (auto event : parse(stream, {}, size + 1).events) {
    std::string out;
    require(write_sse(out, event).has_value());
    const auto again = parse(out, {}, out.size()).events;
    require(again.size() == 1 && again[0] == event);
  }
  const auto cut = stream.substr(0, stream.find('|'));
  SseEvent any{.event = std::string(cut), .data = std::string(stream), .id = std::string(cut)};
  std::string out;
  if (write_sse(out, any)) require(parse(out, {}, 3).events.size() == 1);
  return 0;
}
