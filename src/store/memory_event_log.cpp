#include <fairlead/store/event_log.hpp>
#include <utility>

namespace fairlead::store {
namespace {

class MemoryEventLog final : public EventLog {
 public:
  explicit MemoryEventLog(EventLogLimits limits) : limits_(limits) {}

  EventId add(std::uint32_t stream, SharedText data) override {
    const EventId id{.stream = stream, .sequence = ++last_};
    if (!data || data->size() > limits_.max_bytes) return id;
    make_room(data->size());
    bytes_ += data->size();
    events_.emplace_back(id, std::move(data));
    return id;
  }

  Task<std::vector<Event>> after(EventId last) override {
    std::vector<Event> rest;
    for (const auto& event : events_) {
      if (event.id.stream == last.stream && event.id.sequence > last.sequence) rest.push_back(event);
    }
    co_return rest;
  }

 private:
  // Erase a quarter at a time: a vector is small for mostly empty logs, but erasing its front is expensive.
  void make_room(std::size_t size) {
    if (events_.size() < limits_.max_events && bytes_ + size <= limits_.max_bytes) return;
    const auto max_events_after = limits_.max_events - limits_.max_events / 4;
    const auto max_bytes_after = limits_.max_bytes - limits_.max_bytes / 4;
    auto end = events_.begin();
    while (end != events_.end() &&
           (static_cast<std::size_t>(events_.end() - end) >= max_events_after || bytes_ + size > max_bytes_after)) {
      bytes_ -= end->data->size();
      ++end;
    }
    events_.erase(events_.begin(), end);
  }

  EventLogLimits limits_;
  std::vector<Event> events_;
  std::size_t bytes_ = 0;
  std::uint64_t last_ = 0;
};

}  // namespace

SharedText SharedTextCache::share(std::string text) {
  if (auto last = last_.lock(); last && *last == text) return last;
  auto shared = std::make_shared<const std::string>(std::move(text));
  last_ = shared;
  return shared;
}

std::unique_ptr<EventLog> memory_event_log(EventLogLimits limits) {
  return std::make_unique<MemoryEventLog>(limits);
}

}  // namespace fairlead::store
