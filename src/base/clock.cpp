#include <fairlead/base/clock.hpp>

namespace fairlead {
namespace {

class SteadyClock final : public Clock {
 public:
  TimePoint now() const noexcept override { return std::chrono::steady_clock::now(); }
};

}  // namespace

const Clock& real_clock() noexcept {
  static const SteadyClock clock;
  return clock;
}

}  // namespace fairlead
