#pragma once

#include "load/answer_check.hpp"
#include "load/answer_reader.hpp"
#include "load/counters.hpp"
#include "load/raw_connection.hpp"
#include "load/request_text.hpp"

namespace fairlead::load {

/// An open connection and how to use it.
struct ConnectionParts {
  RawConnection raw;
  std::unique_ptr<AnswerReader> reader;
  RequestText request;
  ExpectedAnswer expected = {};
  unsigned in_flight = 1;  ///< Concurrent calls; 1 over HTTP, where responses are ordered.
};

/// Keeps a number of calls in progress on one connection: each response starts the next call.
class LoadConnection final : private AnswerSink {
 public:
  explicit LoadConnection(ConnectionParts parts);

  const RawConnection& raw() const { return parts_.raw; }
  RawConnection& raw() { return parts_.raw; }

  /// Sends the first calls.
  Result<void> begin(LoadCounters& counters, CallBudget& budget);
  /// Reads responses and starts the next calls. After an error the connection cannot be used any more.
  Result<void> advance(LoadCounters& counters, CallBudget& budget);
  /// Writes pending output.
  Result<void> flush();

  bool has_output() const { return sent_ < output_.size(); }
  unsigned in_progress() const { return in_progress_; }

 private:
  // The call id determines the slot, so that responses can arrive in any order.
  struct Slot {
    std::uint32_t id = 0;
    std::uint64_t began = 0;
    bool busy = false;
  };

  void on_answer(std::uint16_t status, std::string_view body) override;
  void record_answer(Slot& slot, std::string_view body, std::uint64_t now);
  void start_call(Slot& slot, std::uint64_t now);

  ConnectionParts parts_;
  std::vector<Slot> slots_;
  std::string output_;
  std::size_t sent_ = 0;
  unsigned in_progress_ = 0;
  LoadCounters* counters_ = nullptr;
  CallBudget* budget_ = nullptr;
};

/// Nanoseconds of the monotonic clock.
std::uint64_t nanoseconds_now();

}  // namespace fairlead::load
