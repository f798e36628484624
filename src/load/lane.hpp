#pragma once

#include <memory>
#include <vector>

#include "load/answer_check.hpp"
#include "load/answer_reader.hpp"
#include "load/byte_line.hpp"
#include "load/request_text.hpp"
#include "load/tally.hpp"

namespace fairlead::load {

/// A connection that is ready for calls.
struct LaneParts {
  ByteLine line;
  std::unique_ptr<AnswerReader> reader;
  RequestText request;
  Expectation expected = {};
  unsigned in_flight = 1;  ///< Over HTTP 1: answers come in the order of the requests.
};

/// Keeps a number of calls under way on one connection: whenever an answer comes, the next request goes.
class Lane final : private AnswerSink {
 public:
  explicit Lane(LaneParts parts);

  const ByteLine& line() const { return parts_.line; }
  ByteLine& line() { return parts_.line; }

  /// Sends the first calls.
  Result<void> begin(Tally& tally, Allowance& allowance);
  /// Reads what has come and sends what may follow. An error ends the lane.
  Result<void> advance(Tally& tally, Allowance& allowance);
  /// Sends what is left to send.
  Result<void> flush();

  bool has_output() const { return sent_ < output_.size(); }
  unsigned under_way() const { return under_way_; }

 private:
  // A call's number says its slot, so that answers find their beginning in any order.
  struct Slot {
    std::uint32_t id = 0;
    std::uint64_t began = 0;
    bool busy = false;
  };

  void on_answer(std::uint16_t status, std::string_view body) override;
  void settle(Slot& slot, std::string_view body, std::uint64_t now);
  void start_call(Slot& slot, std::uint64_t now);

  LaneParts parts_;
  std::vector<Slot> slots_;
  std::string output_;
  std::size_t sent_ = 0;
  unsigned under_way_ = 0;
  Tally* tally_ = nullptr;
  Allowance* allowance_ = nullptr;
};

/// Nanoseconds of the monotonic clock.
std::uint64_t nanoseconds_now();

}  // namespace fairlead::load
