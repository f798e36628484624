#include "gateway/control/tap_hub.hpp"

#include <utility>

namespace fairlead::gateway {

TapHub::TapHub(EventLoop loop) : loop_(std::move(loop)) {
  // It authorizes continuing a suspended call.
  redactor_.add_key("requestState");
}

std::shared_ptr<TapSubscriber> TapHub::subscribe(TapFilter filter, TapLimits limits) {
  auto subscriber = std::make_unique<TapSubscriber>(std::move(filter), limits, loop_);
  subscribers_.push_back(subscriber.get());
  return {subscriber.release(), [hub = shared_from_this()](TapSubscriber* gone) {
            std::erase(hub->subscribers_, gone);
            delete gone;
          }};
}

void TapHub::publish(const TapLine& line, bool is_metadata) const {
  TapText made;
  const auto text = [&] {
    if (!made) made = std::make_shared<const std::string>(redactor_.to_line(line, is_metadata));
    return made;
  };
  for (auto* subscriber : subscribers_) subscriber->offer(line, text);
}

}  // namespace fairlead::gateway
