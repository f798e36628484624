#include "load/load_connection.hpp"

#include <array>
#include <ctime>
#include <fmt/format.h>

namespace fairlead::load {
namespace {

constexpr std::size_t read_size = std::size_t{256} * 1024;

}  // namespace

std::uint64_t nanoseconds_now() {
  timespec now = {};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

LoadConnection::LoadConnection(ConnectionParts parts) : parts_(std::move(parts)), slots_(parts_.in_flight) {
  for (std::uint32_t i = 0; i < slots_.size(); ++i) slots_[i].id = first_id + i;
}

Result<void> LoadConnection::begin(LoadCounters& counters, CallBudget& budget) {
  counters_ = &counters;
  budget_ = &budget;
  const auto now = nanoseconds_now();
  for (auto& slot : slots_) {
    if (!slot.busy) start_call(slot, now);
  }
  return flush();
}

void LoadConnection::start_call(Slot& slot, std::uint64_t now) {
  if (!budget_->take()) return;
  slot.id += static_cast<std::uint32_t>(slots_.size());
  slot.began = now;
  slot.busy = true;
  ++in_progress_;
  output_ += parts_.request.with(slot.id);
}

Result<void> LoadConnection::advance(LoadCounters& counters, CallBudget& budget) {
  static thread_local std::array<char, read_size> buffer;
  counters_ = &counters;
  budget_ = &budget;
  do {
    const auto got = parts_.raw.read_now(buffer);
    if (!got) return std::unexpected(got.error());
    if (!*got) break;
    if (auto fed = parts_.reader->feed({buffer.data(), **got}, *this); !fed) return fed;
  } while (parts_.raw.may_read_at_once());
  return has_output() ? flush() : Result<void>();
}

Result<void> LoadConnection::flush() {
  while (has_output()) {
    const auto written = parts_.raw.write_now(std::string_view(output_).substr(sent_));
    if (!written) return std::unexpected(written.error());
    if (!*written) return {};
    sent_ += **written;
  }
  output_.clear();
  sent_ = 0;
  return {};
}

void LoadConnection::on_answer(std::uint16_t status, std::string_view body) {
  const auto now = nanoseconds_now();
  counters_->bytes += body.size();
  const auto id = answered_id(body);
  const bool is_notification = !id && status == 200 && body.find("\"method\"") != std::string_view::npos;
  if (is_notification) {
    counters_->events += count_progress(body);
    return;
  }
  // A response without an id belongs to the only call in progress (HTTP).
  auto& slot = slots_[id ? (*id - first_id) % slots_.size() : 0];
  if (!slot.busy || (id && *id != slot.id)) return counters_->fail("received a response to no pending call");
  if (status != 200) {
    counters_->fail(fmt::format("the server returned HTTP status {}: {}", status, body.substr(0, 200)));
  } else {
    record_answer(slot, body, now);
  }
  slot.busy = false;
  --in_progress_;
  start_call(slot, now);
}

void LoadConnection::record_answer(Slot& slot, std::string_view body, std::uint64_t now) {
  if (parts_.expected.progress) counters_->events += count_progress(body);
  if (auto problem = answer_problem(parts_.expected, body, slot.id)) return counters_->fail(std::move(*problem));
  counters_->latency.record(now - slot.began);
}

}  // namespace fairlead::load
