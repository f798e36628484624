#include "gateway/control/tap.hpp"

#include <utility>

namespace fairlead::gateway {

Tap::Tap(Loop loop) : loop_(std::move(loop)) {
  // Whoever has it can go on with a call that waits.
  hiding_.add_key("requestState");
}

std::shared_ptr<Tapper> Tap::listen(TapFilter filter, TapLimits limits) {
  auto tapper = std::make_unique<Tapper>(std::move(filter), limits, loop_);
  tappers_.push_back(tapper.get());
  return {tapper.release(), [hub = shared_from_this()](Tapper* gone) {
            std::erase(hub->tappers_, gone);
            delete gone;
          }};
}

void Tap::tell(const TapLine& line, bool is_metadata) const {
  TapText made;
  const auto text = [&] {
    if (!made) made = std::make_shared<const std::string>(hiding_.written(line, is_metadata));
    return made;
  };
  for (auto* tapper : tappers_) tapper->hear(line, text);
}

}  // namespace fairlead::gateway
