#include "load/lane.hpp"

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

Lane::Lane(LaneParts parts) : parts_(std::move(parts)), slots_(parts_.in_flight) {
  for (std::uint32_t i = 0; i < slots_.size(); ++i) slots_[i].id = first_id + i;
}

Result<void> Lane::begin(Tally& tally, Allowance& allowance) {
  tally_ = &tally;
  allowance_ = &allowance;
  const auto now = nanoseconds_now();
  for (auto& slot : slots_) {
    if (!slot.busy) start_call(slot, now);
  }
  return flush();
}

void Lane::start_call(Slot& slot, std::uint64_t now) {
  if (!allowance_->take()) return;
  slot.id += static_cast<std::uint32_t>(slots_.size());
  slot.began = now;
  slot.busy = true;
  ++under_way_;
  output_ += parts_.request.with(slot.id);
}

Result<void> Lane::advance(Tally& tally, Allowance& allowance) {
  static thread_local std::array<char, read_size> buffer;
  tally_ = &tally;
  allowance_ = &allowance;
  do {
    const auto got = parts_.line.read_now(buffer);
    if (!got) return std::unexpected(got.error());
    if (!*got) break;
    if (auto fed = parts_.reader->feed({buffer.data(), **got}, *this); !fed) return fed;
  } while (parts_.line.may_read_at_once());
  return has_output() ? flush() : Result<void>();
}

Result<void> Lane::flush() {
  while (has_output()) {
    const auto written = parts_.line.write_now(std::string_view(output_).substr(sent_));
    if (!written) return std::unexpected(written.error());
    if (!*written) return {};
    sent_ += **written;
  }
  output_.clear();
  sent_ = 0;
  return {};
}

void Lane::on_answer(std::uint16_t status, std::string_view body) {
  const auto now = nanoseconds_now();
  tally_->bytes += body.size();
  const auto id = answered_id(body);
  const bool notice = !id && status == 200 && body.find("\"method\"") != std::string_view::npos;
  if (notice) {
    tally_->events += count_progress(body);
    return;
  }
  // Where one call is under way, an answer without its number is still that call's.
  auto& slot = slots_[id ? (*id - first_id) % slots_.size() : 0];
  if (!slot.busy || (id && *id != slot.id)) return tally_->fail("an answer came that nobody had asked for");
  if (status != 200) {
    tally_->fail(fmt::format("the server answered with status {}: {}", status, body.substr(0, 200)));
  } else {
    settle(slot, body, now);
  }
  slot.busy = false;
  --under_way_;
  start_call(slot, now);
}

void Lane::settle(Slot& slot, std::string_view body, std::uint64_t now) {
  if (parts_.expected.progress) tally_->events += count_progress(body);
  if (auto problem = answer_problem(parts_.expected, body, slot.id)) return tally_->fail(std::move(*problem));
  tally_->latency.record(now - slot.began);
}

}  // namespace fairlead::load
